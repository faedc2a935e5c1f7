"""One test for each key, here and in the files beside this one, and the table itself."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app.keys import CLOSING, EVERYWHERE, FINDING, KEYS, MATRIX, READS, STARTING, TIMELINE, TRIAGE, hints, key_table
from app.screens import export
from app.screens.export import ExportScreen
from app.screens.help import HelpScreen
from app.screens.problems import ProblemsScreen
from app.screens.read import ReadScreen
from app.screens.triage import TriageScreen
from app.tui import TriageApp
from diagnosis.questions.findings import Remark, Severity
from tests.app.build import FakeDiagnosis, app_of, incident, judgement, many, remark
from tests.app.screen_text import screen_text, settle, toasts

WIDE, NARROW = (120, 36), (80, 24)
AMBIGUOUS = "docs://team/{team}/policy/{name}"


@asynccontextmanager
async def opened(
    diagnosis: FakeDiagnosis | None = None, size: tuple[int, int] = WIDE
) -> AsyncIterator[tuple[Pilot[None], TriageScreen]]:
    """The main screen, everything read."""
    app = app_of(diagnosis or FakeDiagnosis(incident()))
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        yield pilot, screen


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Presses keys and waits until everything is drawn."""
    await pilot.press(*keys)
    await settle(pilot)


@pytest.mark.parametrize(
    ("keys", "row"),
    [
        ("j j down", 3),
        ("j j k", 1),
        ("j j up", 1),
        ("G", 999),
        ("end", 999),
        ("G g", 0),
        ("G home", 0),
        ("k", 0),
        ("G j", 999),
    ],
)
async def test_down_up_first_last(keys: str, row: int) -> None:
    async with opened(FakeDiagnosis(many(1000))) as (pilot, screen):
        await press(pilot, *keys.split())
        assert screen.list.rows.cursor == row
        assert f"report://acme/{row:07}" in screen_text(pilot.app)


async def test_page_down_page_up_half_page_down_half_page_up() -> None:
    async with opened(FakeDiagnosis(many(1000))) as (pilot, screen):
        rows = screen.list.rows
        height = rows.size.height
        for key, row in (
            ("pagedown", height - 1),
            ("pagedown", 2 * (height - 1)),
            ("pageup", height - 1),
            ("ctrl+d", height - 1 + height // 2),
            ("ctrl+u", height - 1),
        ):
            await press(pilot, key)
            assert rows.cursor == row


@pytest.mark.parametrize(("right", "left"), [("l", "h"), ("right", "left")])
async def test_left_right(right: str, left: str) -> None:
    reads = [judgement(0, "report://" + "abcdefghij" * 30)]
    async with opened(FakeDiagnosis(reads), NARROW) as (pilot, _):
        await press(pilot, right, right)
        row = next(line for line in screen_text(pilot.app).splitlines() if line.startswith("▌"))
        assert " s1   · · ·  ok      hijabcdefghij" in row
        await press(pilot, left, left, left)
        assert " ok      report://abc" in screen_text(pilot.app)


async def test_right_stops_at_the_end_of_the_longest_line() -> None:
    async with opened(FakeDiagnosis([judgement(0, "report://" + "x" * 100 + "END")]), NARROW) as (pilot, _):
        await press(pilot, *["l"] * 50)
        assert "xEND" in screen_text(pilot.app)


async def test_next_finding_previous_finding() -> None:
    async with opened() as (pilot, screen):
        found = []
        for key in ("n", "n", "n", "n", "n", "n", "N", "N"):
            await press(pilot, key)
            found.append(screen.list.rows.cursor)
        assert found == [1, 2, 3, 4, 5, 5, 4, 3]
        assert toasts(pilot.app) == ["There is no further finding or severe remark."]


async def test_next_finding_stops_at_severe_remarks() -> None:
    reads = [
        judgement(0, "x://0"),
        *(judgement(n, f"x://{n}", remarks=(remarks(n),)) for n in (1, 2)),
        judgement(3, "x://3"),
    ]
    async with opened(FakeDiagnosis(reads), NARROW) as (pilot, screen):
        lines = screen_text(pilot.app).splitlines()
        assert lines[0].endswith("E 0  M 0  A 0  ? 0  ! 1")
        assert [line[1:3] for line in lines[3:7]] == [" 1", " 2", "!3", " 4"]
        await press(pilot, "n")
        assert screen.list.rows.cursor == 2
        await press(pilot, "n")
        assert toasts(pilot.app) == ["There is no further finding or severe remark."]
        await press(pilot, "enter")
        assert "remark/r2  remark, certain, severe" in screen_text(pilot.app)
        assert "  fix    Fix." in screen_text(pilot.app)


def remarks(number: int) -> Remark:
    """A mild one for an odd number, a severe one for an even number."""
    severity = Severity.MILD if number % 2 else Severity.SEVERE
    return replace(remark(f"r{number}", "Something."), severity=severity)


async def test_next_in_session_previous_in_session() -> None:
    async with opened() as (pilot, screen):
        found = []
        for key in ("j", "right_square_bracket", "right_square_bracket", "left_square_bracket"):
            await press(pilot, key)
            found.append(screen.list.rows.cursor)
        assert found == [1, 3, 5, 3]
        await press(pilot, "right_square_bracket", "right_square_bracket", "g", "left_square_bracket")
        assert toasts(pilot.app) == [
            "There is no further read of this session.",
            "There is no earlier read of this session.",
        ]


@pytest.mark.parametrize(("key", "reads"), [("1", [1, 5]), ("2", [3, 4]), ("3", [2])])
async def test_only_segments_only_document_only_principal_all(key: str, reads: list[int]) -> None:
    async with opened() as (pilot, screen):
        await press(pilot, key)
        assert screen.list.rows.rows == reads
        assert f"only faults of question {key}: {len(reads)} of 8 shown" in screen_text(pilot.app)
        await press(pilot, key)
        assert screen.list.rows.rows is None
        await press(pilot, key, "0")
        assert screen.list.rows.rows is None


async def test_only_keeps_the_cursor_on_its_read() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, "j", "j", "j", "j", "2")
        assert screen.list.rows.read_index == 4
        await press(pilot, "0")
        assert screen.list.rows.read_index == 4


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_open_close(size: tuple[int, int]) -> None:
    async with opened(size=size) as (pilot, screen):
        await press(pilot, "j", "enter")
        assert isinstance(pilot.app.screen, ReadScreen)
        assert "segments/extra-separator" in screen_text(pilot.app)
        await press(pilot, "n")
        assert "principal/foreign-tenant" in screen_text(pilot.app)
        await press(pilot, "left_square_bracket")
        assert "Read 1 " in screen_text(pilot.app)
        await press(pilot, "escape")
        assert pilot.app.screen is screen
        assert screen.list.rows.cursor == 0


async def test_messages_principal() -> None:
    async with opened() as (pilot, _):
        await press(pilot, "p")
        assert "known from   policy: session s1" in screen_text(pilot.app)
        await press(pilot, "m")
        assert '"method": "resources/read"' in screen_text(pilot.app)
        assert "known from" not in screen_text(pilot.app)


async def test_messages_principal_where_there_is_no_room_beside() -> None:
    async with opened(size=NARROW) as (pilot, _):
        await press(pilot, "p")
        assert isinstance(pilot.app.screen, ReadScreen)
        assert "known from   policy: session s1" in screen_text(pilot.app)
        await press(pilot, "m")
        assert '"method": "resources/read"' in screen_text(pilot.app)
        await press(pilot, "m")
        assert "Did the URI escape its segments?" in screen_text(pilot.app)


async def test_exact() -> None:
    async with opened() as (pilot, _):
        await press(pilot, "r")
        assert '{"jsonrpc": "2.0", "id": 0, "method": "resources/read"' in screen_text(pilot.app)
        await press(pilot, "r")
        assert '  "jsonrpc": "2.0",' in screen_text(pilot.app)


async def test_next_reading() -> None:
    one = judgement(0, "docs://team/a/policy/b/policy/c", AMBIGUOUS)
    assert len(one.readings) == 2
    async with opened(FakeDiagnosis([one])) as (pilot, screen):
        first = [piece.text for piece in screen.panes.lane.tail(1)]
        assert "reading 1 of 2, v shows the next" in screen_text(pilot.app)
        await press(pilot, "v")
        assert "reading 2 of 2" in screen_text(pilot.app)
        assert [piece.text for piece in screen.panes.lane.tail(1)] != first
        await press(pilot, "v")
        assert [piece.text for piece in screen.panes.lane.tail(1)] == first


async def test_next_reading_where_there_is_one() -> None:
    async with opened() as (pilot, _):
        await press(pilot, "v")
        assert toasts(pilot.app) == ["There is no other reading of this URI."]


@pytest.mark.parametrize(
    ("uri", "copied", "says"),
    [
        ("report://acme/1", "report://acme/1", "was sent"),
        ("report://a\n[/]", "report://a\\u{a}[/]", "with its control characters escaped"),
        ("x" * 8001, "", "more than 8,000 bytes"),
        (None, "", "no URI to copy"),
        ("https://h.test/r?token=s3cr3t-s3cr3t&m=1", "https://h.test/r?token=[token-1]&m=1", "secrets replaced"),
        ("report://ana@acme.test/1", "report://[email-1]/1", "secrets replaced"),
    ],
)
async def test_copy(uri: str | None, copied: str, says: str) -> None:
    async with opened(FakeDiagnosis([judgement(0, uri)])) as (pilot, _):
        await press(pilot, "y")
        assert pilot.app.clipboard == copied
        assert says in toasts(pilot.app)[0]


async def test_export_write_replace_keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(export, "rendered", lambda diagnosis, now, case, wanted: f"# Report\n{now:%Y}\n")
    report = tmp_path / "misread-report.md"
    report.write_text("mine")
    async with opened() as (pilot, _):
        await press(pilot, "e")
        assert isinstance(pilot.app.screen, ExportScreen)
        assert "# Report" in screen_text(pilot.app)
        await press(pilot, "enter")
        assert "misread-report.md exists. y replaces it, n keeps it." in screen_text(pilot.app)
        assert screen_text(pilot.app).splitlines()[-1].strip() == "y Replace  n Keep"
        await press(pilot, "enter", "x")
        assert report.read_text() == "mine"
        await press(pilot, "n")
        assert "Nothing was written." in screen_text(pilot.app)
        assert report.read_text() == "mine"
        assert screen_text(pilot.app).splitlines()[-1].strip() == "Enter Write  Esc Back"
        for keys in (("enter", "q"), ("enter", "tab", "q"), ("enter", "ctrl+c")):
            await press(pilot, *keys)
            assert isinstance(pilot.app.screen, ExportScreen)
            assert pilot.app.return_code is None
            assert "Nothing was written." in screen_text(pilot.app)
            assert not pilot.app.screen.confirm.asking
            assert report.read_text() == "mine"
        await press(pilot, "enter", "shift+tab", "x", "backspace")
        assert not pilot.app.screen.confirm.asking  # type: ignore[attr-defined]
        await press(pilot, "enter", "y")
        assert report.read_text() == "# Report\n2025\n"
        assert isinstance(pilot.app.screen, TriageScreen)


async def test_export_from_the_full_screen_of_a_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "rendered", lambda diagnosis, now, case, wanted: "# Report\n")
    async with opened(size=NARROW) as (pilot, _):
        await press(pilot, "enter")
        assert "e Export" in screen_text(pilot.app).splitlines()[-1]
        await press(pilot, "e")
        assert isinstance(pilot.app.screen, ExportScreen)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ReadScreen)


async def test_problems() -> None:
    async with opened() as (pilot, _):
        await press(pilot, "exclamation_mark")
        assert isinstance(pilot.app.screen, ProblemsScreen)
        assert "Every line of the captures was understood." in screen_text(pilot.app)


async def test_problems_have_the_notes_on_what_is_known() -> None:
    async with opened() as (pilot, screen):
        screen.diagnosis.limits.append("More was listed than is kept.")  # type: ignore[attr-defined]
        screen.draw()
        await settle(pilot)
        assert "1 note  ! has them" in screen_text(pilot.app)
        await press(pilot, "exclamation_mark")
        assert "noted      More was listed than is kept." in screen_text(pilot.app)


async def test_choose() -> None:
    diagnosis = FakeDiagnosis(incident())
    app = TriageApp(opener=lambda *_: diagnosis)
    async with app.run_test(size=NARROW) as pilot:
        await settle(pilot)
        if not app.screen.samples.total:  # type: ignore[attr-defined]
            pytest.skip("no samples yet")
        await press(pilot, "enter")
        assert isinstance(app.screen, TriageScreen)
        await press(pilot, "escape")
        assert "Or try a sample" in screen_text(app)


async def test_next_pane_previous_pane() -> None:
    async with opened() as (pilot, screen):
        panes = screen.panes
        order = [screen.list.rows, panes.lane, panes.answers, panes.messages]
        for pane in (*order[1:], order[0]):
            await press(pilot, "tab")
            assert pilot.app.focused is pane
        await press(pilot, "shift+tab")
        assert pilot.app.focused is panes.messages


async def test_stop() -> None:
    diagnosis = FakeDiagnosis(incident(), gate=threading.Event())
    app = app_of(diagnosis)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        while "Esc stops" not in screen_text(app):
            await pilot.pause()
        await pilot.press("e")
        await pilot.pause()
        assert toasts(app) == ["The load goes on: wait for its end, or stop it with Esc."]
        await press(pilot, "escape")
        assert diagnosis.partial
        assert "partial: only the first 50 % was read" in screen_text(app)
        await press(pilot, "1")
        assert "partial: only the first 50 % was read  only faults" in screen_text(app)
        await press(pilot, "escape")
        assert "only faults" not in screen_text(app)


async def test_help() -> None:
    async with opened() as (pilot, screen):
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        await press(pilot, "question_mark", "escape")
        assert pilot.app.screen is screen


async def test_quit() -> None:
    async with opened() as (pilot, _):
        await press(pilot, "q")
        assert pilot.app.return_code == 0


@pytest.mark.parametrize("keys", [(), ("enter",), ("e",), ("question_mark",)])
async def test_interrupt(keys: tuple[str, ...]) -> None:
    async with opened() as (pilot, _):
        await press(pilot, *keys)
        await press(pilot, "ctrl+c")
        assert pilot.app.return_code == 0
        assert toasts(pilot.app) == []


def test_every_key_has_a_test() -> None:
    files = Path(__file__).parent.glob("test_keys*.py")
    names = [name for file in files for name in re.findall(r"^async def (test_\w+)", file.read_text(), re.MULTILINE)]
    tests = " ".join(names).replace("_", "-")
    missing = [key.id for key in KEYS if key.id not in tests]
    assert missing == []


def test_ids_and_places_are_unambiguous() -> None:
    assert len({key.id for key in KEYS}) == len(KEYS)
    for place in (TRIAGE, READS, STARTING, MATRIX, TIMELINE, FINDING):
        used = [name for key in KEYS if key.where in (place, EVERYWHERE) for name in key.keys.split(",")]
        assert len(used) == len(set(used))


def test_no_chord_that_multiplexers_take() -> None:
    chords = {name for key in KEYS for name in key.keys.split(",") if name.startswith("ctrl+")}
    assert chords == {"ctrl+c", "ctrl+d", "ctrl+u"}


def test_table_tells_rows_with_one_key_apart() -> None:
    rows = key_table()
    assert ("e", "write the incident report") in rows
    assert ("n", "next read with a finding or a severe remark, on the main screen and on a read") in rows
    assert ("n", "next place of the text, in the messages while a search stands") in rows
    assert len(set(rows)) == len(KEYS)


@pytest.mark.parametrize("places", [(TRIAGE, READS, EVERYWHERE), (READS, CLOSING, EVERYWHERE), (STARTING, EVERYWHERE)])
def test_hints_fit_80_columns(places: tuple[str, ...]) -> None:
    shown: Callable[[tuple[str, str]], str] = " ".join
    assert len("  ".join(map(shown, hints(*places)))) <= 78
