"""`misread --limits`: every finite limit of the program, the screen's among them."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import fill

from app import cases, clipboard, following, inputs, unmatched
from app.screens import problems
from app.widgets import answers, filter_bar, finding_text, json_text, matrix_grid, read_list, records, uri_lane
from diagnosis.captures.unpack import amount
from diagnosis.limits import LIMITS, Limit

_WIDTH = 79

SCREEN = (
    Limit("entries of a folder", inputs, "FOLDER_LIMIT", "entries", "the folder is refused", "error message"),
    Limit("names that no read has", unmatched, "_SAID", "names", "others are counted", "the sentence itself"),
    Limit("name of an author", cases, "_AUTHOR_LIMIT", "characters", "it is cut", "the entry"),
    Limit("time between two looks at a log", following, "LOOK", "seconds", "what came is read then", "nothing is lost"),
    Limit("excerpt of an unreadable line", problems, "EXCERPT", "bytes", "it is cut", "offset and length beside it"),
    Limit("copied text", clipboard, "CLIPBOARD_LIMIT", "bytes", "it is not copied", "notice on the screen"),
    Limit("evidence of an answer", answers, "_EVIDENCE", "entries", "reports have the others", "a last line"),
    Limit(
        "candidates of a completion", filter_bar, "_CHOICES", "words", "others are not offered", "typing on shows them"
    ),
    Limit("candidate of a completion", filter_bar, "_CHOICE", "characters", "it is not offered", "it can be typed"),
    Limit("places found in messages", finding_text, "MOST", "places", "others are not found", "the line of the search"),
    Limit("beginnings of JSON in a text", json_text, "_TRIED", "beginnings", "later ones stay text", "they are shown"),
    Limit("indentation of JSON", json_text, "_DEEPEST", "levels", "deeper levels are not moved", "they are shown"),
    Limit("record that is laid out", records, "LARGEST", "bytes", "its exact bytes are shown", "the title of the pane"),
    Limit("record that is shown", records, "SHOWN", "bytes", "the rest is not shown", "the end of the pane"),
    Limit("JSON in strings that is unfolded", records, "_INNER", "strings", "others stay strings", "they are shown"),
    Limit("string beside its unfolded JSON", records, "_TWICE", "characters", "it is cut", "its JSON stands under it"),
    Limit("name in the matrix", matrix_grid, "_NAME", "characters", "it is cut", "the words end in …"),
    Limit("URI in the list", read_list, "URI_LIMIT", "characters", "it is cut", "the messages have it whole"),
    Limit("URI in the lane", uri_lane, "LONGEST", "characters", "it is cut", "the messages have it whole"),
)
ALL = (*LIMITS, *SCREEN)


def all_limits() -> str:
    """Returns the list as text: what is limited, its value, what happens where it is reached, where that is said."""
    return "\n\n".join(_entries(ALL)) + "\n"


def _entries(limits: Iterable[Limit]) -> Iterable[str]:
    for each in limits:
        value = amount(int(each.value)) if each.unit == "bytes" else f"{each.value:,} {each.unit}"
        yield "\n".join(
            (
                f"{each.what}: {value}",
                *(
                    fill(f"{label}: {text}", _WIDTH, initial_indent="  ", subsequent_indent="    ")
                    for label, text in (("reached", each.reached), ("said", each.said))
                ),
            )
        )
