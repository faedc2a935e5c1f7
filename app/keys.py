"""Every key, once: bindings, footer, help screen and the README's table are made from this one table."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType

# Where a key works.
LINES = "in every list and pane"
TRIAGE = "on the main screen"
READS = "on the main screen and on a read"
CLOSING = "on every other screen"
# `/` asks for something to be found and `n` goes on to the next of what is looked for, wherever they are pressed: text
# and its places in the messages, findings everywhere else. So `n` belongs to the messages only while a search stands.
MESSAGES = "in the messages"
FOUND = "in the messages while a search stands"
FINDING = "while text to find is typed"
FILTERING = "while a filter is typed"
MATRIX = "in the matrix"
TIMELINE = "in the timeline"
ASKING = "while something is asked"
STARTING = "on the start screen"
EXPORTING = "when a report is written"
CHOOSING = "on a choice of the report"
CONFIRMING = "when a file would be replaced"
UNSAVED = "when entries would be lost"
EVERYWHERE = "everywhere"


@dataclass(frozen=True, slots=True)
class Key:
    """One row: Textual's names of the keys, the action, and the words a person reads.

    `shown` is how the keys are written; `hint` is the word in the footer ("" for keys that are not there),
    `hint_keys` the keys before it where one hint stands for several rows. `id` is what a person's own keymap
    calls the row. `priority` is for keys that a text field must not take.
    """

    keys: str
    action: str
    id: str
    shown: str
    words: str
    where: str
    hint: str = ""
    hint_keys: str = ""
    priority: bool = False


KEYS: tuple[Key, ...] = (
    Key("j,down", "cursor_down", "down", "j Down", "one line down", LINES),
    Key("k,up", "cursor_up", "up", "k Up", "one line up", LINES),
    Key("g,home", "first", "first", "g Home", "first line", LINES),
    Key("G,end", "last", "last", "G End", "last line", LINES),
    Key("pagedown", "page(1)", "page-down", "PgDn", "one screen down", LINES),
    Key("pageup", "page(-1)", "page-up", "PgUp", "one screen up", LINES),
    Key("ctrl+d", "half_page(1)", "half-page-down", "Ctrl+D", "half a screen down", LINES),
    Key("ctrl+u", "half_page(-1)", "half-page-up", "Ctrl+U", "half a screen up", LINES),
    Key("h,left", "sideways(-1)", "left", "h Left", "scroll to the left", LINES),
    Key("l,right", "sideways(1)", "right", "l Right", "scroll to the right", LINES),
    Key("n", "finding(1)", "next-finding", "n", "next read with a finding or a severe remark", READS, "Next"),
    Key(
        "N",
        "finding(-1)",
        "previous-finding",
        "N",
        "previous read with a finding or a severe remark",
        READS,
    ),
    Key("right_square_bracket", "in_session(1)", "next-in-session", "]", "next read of the session", READS),
    Key(
        "left_square_bracket",
        "in_session(-1)",
        "previous-in-session",
        "[",
        "previous read of the session",
        READS,
    ),
    Key("1", "only(0)", "only-segments", "1", "only faults of question 1 (again: all)", TRIAGE),
    Key("2", "only(1)", "only-document", "2", "only faults of question 2 (again: all)", TRIAGE),
    Key("3", "only(2)", "only-principal", "3", "only faults of question 3 (again: all)", TRIAGE),
    Key("0", "all", "all", "0", "all reads", TRIAGE),
    Key("slash", "filter", "filter", "/", "only reads that a filter matches (see the help)", TRIAGE, "Filter"),
    Key("enter", "open_read", "open", "Enter", "open the read on a full screen", TRIAGE, "Open"),
    Key("m", "side('messages')", "messages", "m", "the messages as they stand in the log", READS),
    Key("p", "side('principal')", "principal", "p", "who asked, and how that is known", READS),
    Key("r", "exact", "exact", "r", "exact bytes of the messages (again: indented)", READS),
    Key("v", "next_reading", "next-reading", "v", "next way to read the URI against its template", READS),
    Key("y", "copy_uri", "copy", "y", "copy the URI to the terminal's clipboard", READS),
    Key("Y", "copy_findings", "copy-findings", "Y", "copy the findings of the read as Markdown", READS),
    Key("e", "export", "export", "e", "write the incident report", READS, "Export"),
    Key(
        "exclamation_mark",
        "problems",
        "problems",
        "!",
        "lines that could not be read, files that were not opened",
        TRIAGE,
    ),
    Key("s", "side('session')", "session", "s", "the reads of the session around the read", READS),
    Key("b", "alike", "alike", "b", "who else: only reads like this one (again: its next finding)", READS),
    Key("M", "matrix", "matrix", "M", "the matrix: who was served whose documents", TRIAGE),
    Key("T", "timeline", "timeline", "T", "the timeline: all findings by time", TRIAGE),
    Key("enter", "show_read", "show-read", "Enter", "the list, with the cursor on the read", TIMELINE, "Read"),
    Key("enter", "show_cell", "show-cell", "Enter", "only the reads of this cell", MATRIX, "Reads"),
    Key("slash", "find", "find", "/", "find a text in these messages", MESSAGES),
    Key("n", "found(1)", "next-found", "n", "next place of the text", FOUND),
    Key("N", "found(-1)", "previous-found", "N", "previous place of the text", FOUND),
    Key("escape", "end_find", "end-find", "Esc", "end the search", FOUND),
    Key("enter", "go_on", "keep-find", "Enter", "go back to the messages and keep the search", FINDING),
    Key("escape", "end_find", "leave-find", "Esc", "end the search", FINDING),
    Key("tab", "complete", "complete", "Tab", "put in what could stand here (again: the next)", FILTERING),
    Key("enter", "keep_filter", "keep-filter", "Enter", "go back to the list and keep the filter", FILTERING),
    Key("escape", "end_filter", "end-filter", "Esc", "end the filter and show all reads", FILTERING),
    Key("c", "confirm", "confirm", "c", "confirm the findings of the read", TRIAGE, "Confirm"),
    Key("x", "dismiss_findings", "dismiss", "x", "dismiss the findings of the read, with a reason", TRIAGE, "Dismiss"),
    Key("a", "note", "note", "a", "add a note to the findings of the read", TRIAGE),
    Key("u", "undo", "undo", "u", "take back your last word on the findings of the read", TRIAGE),
    Key("w", "state_caller", "state-caller", "w", "state who a caller is and what it may see", TRIAGE),
    Key("t", "state_template", "state-template", "t", "state a template of the server", TRIAGE),
    Key("enter", "send", "send", "Enter", "take the answer", ASKING),
    Key("escape", "leave", "leave", "Esc", "leave the question", ASKING),
    Key("enter", "choose", "choose", "Enter", "open the sample", STARTING, "Open"),
    Key("o", "open_path", "open-path", "o", "open your own captures by their paths", STARTING, "Your own log"),
    Key("enter", "write", "write", "Enter", "write the report to this file", EXPORTING, "Write"),
    Key("left", "choose(-1)", "choice-before", "Left", "the choice before", CHOOSING),
    Key("right,space", "choose(1)", "next-choice", "Right Space", "the next choice", CHOOSING),
    Key("y", "copy_report", "copy-report", "y", "copy the report, where no path is typed", EXPORTING),
    Key("y", "answer(True)", "replace", "y", "replace the file", CONFIRMING, "Replace"),
    Key("n,q,escape", "answer(False)", "keep", "n q Esc", "keep the file", CONFIRMING, "Keep", "n"),
    Key("s", "save_elsewhere", "save-elsewhere", "s", "save them in another file", UNSAVED, "Save elsewhere"),
    Key("Q", "leave_unsaved", "leave-unsaved", "Q", "leave without them", UNSAVED, "Leave"),
    Key("tab", "app.focus_next", "next-pane", "Tab", "next pane", EVERYWHERE),
    Key("shift+tab", "app.focus_previous", "previous-pane", "Shift+Tab", "previous pane", EVERYWHERE),
    Key("F", "follow", "follow", "F", "follow a capture that is still written (again: end that)", TRIAGE),
    Key("escape", "stop", "stop", "Esc", "stop the load, or show all reads again", TRIAGE),
    Key("escape", "close", "close", "Esc", "back to the screen before", CLOSING, "Back"),
    Key("question_mark", "app.help", "help", "?", "this help", EVERYWHERE, "Help"),
    Key("colon", "app.palette", "palette", ":", "all that can be done here, by name", EVERYWHERE),
    Key("q", "app.quit", "quit", "q", "quit", EVERYWHERE, "Quit"),
    Key("ctrl+c", "app.quit", "interrupt", "Ctrl+C", "quit, also while text is typed", EVERYWHERE, priority=True),
)


def bindings(*places: str) -> list[BindingType]:
    """The Textual bindings of the keys that work in these places."""
    return [
        Binding(key.keys, key.action, key.words, key_display=key.shown, priority=key.priority, id=key.id)
        for key in KEYS
        if key.where in places
    ]


def hints(*places: str) -> list[tuple[str, str]]:
    """The keys and words of the footer for a screen where these places count."""
    return [(key.hint_keys or key.shown, key.hint) for key in KEYS if key.hint and key.where in places]


def key_table() -> list[tuple[str, str]]:
    """Every key as a person writes it, and what it does: the rows of the README's table."""
    return [(key.shown, f"{key.words}, {key.where}" if _repeated(key) else key.words) for key in KEYS]


def _repeated(key: Key) -> bool:
    """Whether the same key does something else in another place."""
    return sum(other.shown == key.shown for other in KEYS) > 1
