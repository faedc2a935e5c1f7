"""Lines = blank + message lines + other + unreadable; an unreadable line hides no other and is listed by its place."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.tui import TriageApp
from diagnosis import diagnose
from diagnosis.captures import Message, NotACapture, Source, items_of, open_sources, recognise
from diagnosis.reports import REPORTS, Report
from tests.app.screen_text import screen_text, settle
from tests.bad_inputs.own import answer, ask, lines
from tests.promises.logs import hostile_files

NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
WHOLE_DOCUMENTS = {"shape-array-file.json"}  # counted by their elements, not by lines


def kinds_of(path: str) -> tuple[int, Counter[str]] | None:
    """How many lines a capture has, and how many of them are what; each must be one thing. None: no capture."""
    (source,) = open_sources(path)
    assert isinstance(source, Source)
    with source:
        try:
            capture_format = recognise(source).format
        except NotACapture:
            return None
        kinds: dict[int, set[str]] = {}
        for item in items_of(source, capture_format):
            kind = "message" if isinstance(item, Message) else str(item.kind)
            if kind == "message" or not item.span.layers:  # else it is a part of a line that holds messages
                kinds.setdefault(item.span.line, set()).add(kind)
        lines = source.line_count + (source.trouble is not None)
    assert sorted(kinds) == list(range(1, lines + 1))
    assert all(len(kind) == 1 for kind in kinds.values())
    return lines, Counter(next(iter(kind)) for kind in kinds.values())


@pytest.mark.parametrize("path", [one for one in hostile_files() if one.suffix != ".zip"], ids=lambda path: path.name)
def test_every_line_is_one_thing(path: Path) -> None:
    if path.name in WHOLE_DOCUMENTS:
        return
    found = kinds_of(str(path))
    diagnosis = diagnose([str(path)])
    if found is None:
        assert (len(diagnosis.captures), len(diagnosis.refusals)) == (0, 1)
        return
    count, kinds = found
    facts = diagnosis.captures[0]
    assert (facts.lines, facts.blank, facts.other) == (count, kinds["blank"], kinds["other"])
    # A second reader may see another message in a line that names a key twice: it is listed beside its message.
    assert facts.unreadable == kinds["unreadable"] + (path.name == "json-dup-method.jsonl")


def ledger(data: bytes, folder: Path) -> tuple[int, int]:
    """Opens bytes as JSON lines; how many lines and reads there are. Every line must be one thing."""
    path = folder / "log.jsonl"
    path.write_bytes(lines(ask("first"), answer("first")) + data)
    found = kinds_of(str(path))
    diagnosis = diagnose([str(path)])
    if found is None:
        return 0, 0
    assert diagnosis.captures[0].lines == found[0]
    return found[0], len(diagnosis.judgements)


PIECES = st.one_of(
    st.binary(max_size=60),
    st.sampled_from((b"\n", b"\r\n", b"\0", b"{", b"[", b'"', b"\xff", b"\xef\xbb\xbf", b"}{", b"\x1b[31m")),
    st.sampled_from((lines(ask(1)), lines(answer(1)), lines(ask(2))[:40])),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=12).map(b"".join))
@example(b"\r")
@example(b"\n\n")
def test_any_bytes_behind_two_messages(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    count, reads = ledger(data, tmp_path_factory.mktemp("any"))
    if count:
        assert reads >= 1


RUBBISH = st.sampled_from(
    (
        b"",
        b"  \t",
        b"rubbish",
        b"{",
        b'{"id":',
        b"[1,",
        b"\xff\xfe\x00",
        b"null",
        b'"x"',
        b'{"jsonrpc": "2.0", "id": NaN}',
    )
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(RUBBISH, st.none()), max_size=20), st.sampled_from((b"\n", b"\r\n")))
def test_rubbish_between_messages_hides_none_of_them(
    tmp_path_factory: pytest.TempPathFactory, between: list[bytes | None], end: bytes
) -> None:
    number, records = 0, []
    for each in between:  # None stands for a read
        number += each is None
        records.append(lines(ask(number, f"docs://a/{number}")).strip() if each is None else each)
    count, reads = ledger(b"".join(each + end for each in records), tmp_path_factory.mktemp("between"))
    assert (count, reads) == (len(records) + 2, number + 1)


BAD = (2, 5)  # the unreadable lines of the log below


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    bad = '{"jsonrpc": "2.0", "id":'
    path.write_bytes(lines(ask(1), bad, "text", answer(1), bad + " 2,", b" "))
    return path


def offset_of(path: Path, line: int) -> int:
    return sum(len(each) for each in path.read_bytes().splitlines(keepends=True)[: line - 1])


@pytest.mark.parametrize("report", [one for one in REPORTS if one.name in ("json", "markdown", "text", "sarif")])
def test_a_report_has_every_unreadable_line_by_its_place(log: Path, report: Report) -> None:
    diagnosis = diagnose([str(log)])
    assert [each.span.line for each in diagnosis.problems] == list(BAD)
    text = report.render(diagnosis, NOW)
    if report.name == "json":
        found = json.loads(text)
        counts = {"lines": 6, "blank": 1, "messages": 2, "other": 1, "unreadable": 2}
        assert {name: found["captures"][0][name] for name in counts} == counts
        assert [(one["line"], one["offset"]) for one in found["problems"]] == [(n, offset_of(log, n)) for n in BAD]
        assert all(one["file"] == str(log) and one["reason"] for one in found["problems"])
        return
    if report.name == "text":
        assert "6 lines (1 blank, 1 other, 2 unreadable), 2 messages" in text
    if report.name == "sarif":
        told = json.loads(text)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
        regions = [one["locations"][0]["physicalLocation"]["region"] for one in told if one["level"] == "warning"]
        assert [(one["startLine"], one["byteOffset"]) for one in regions] == [(n, offset_of(log, n)) for n in BAD]
        return
    for number in BAD:
        place = f":{number}, byte {offset_of(log, number)}:" if report.name == "text" else f"| {number} |"
        assert place in " ".join(text.split()), number


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_the_screen_counts_and_lists_them(log: Path, size: tuple[int, int]) -> None:
    async with (app := TriageApp([str(log)])).run_test(size=size) as pilot:
        await settle(pilot)
        assert "2 unreadable" in screen_text(app)
        await pilot.press("exclamation_mark")
        await pilot.pause()
        text = screen_text(app)
        assert "2 unreadable lines" in text
        for number in BAD:
            assert f"log.jsonl:{number}  byte {offset_of(log, number)}" in text  # however long the path before it is
