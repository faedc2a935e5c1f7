from __future__ import annotations

from diagnosis.reports.text import render
from diagnosis.reports.version import version
from tests.diagnosis.reports import build


def test_every_line() -> None:
    diagnosis = build.diagnosis(build.foreign(0), build.undecided(1), build.judgement(2))
    assert render(diagnosis).splitlines() == [
        f"misread {version()}: 3 reads in trace.jsonl",
        "read as json-rpc: Each line is a JSON-RPC message.",
        "findings: under-encoding 0, double-decode 0, missing-authorization 1",
        "cannot tell: segments 0, document 0, principal 1",
        "clean: 1 read (allowed proves no check); remarks: 0",
        "unreadable: 0 lines, 0 files; read to the end",
    ]


def test_hostile_names_and_a_stopped_load() -> None:
    captures = tuple(build.facts(f"a\x1b{n}.jsonl", unreadable=1, partial=True) for n in range(5))
    first, *_, last = render(build.diagnosis(captures=captures)).splitlines()
    assert first.endswith("in a\\u{1b}0.jsonl, a\\u{1b}1.jsonl, a\\u{1b}2.jsonl and 2 more")
    assert last == "unreadable: 5 lines, 0 files; partial"


def test_each_format_is_named_once_with_its_first_reason() -> None:
    read = (("har", "first"), ("enveloped", "likely, \x1b[2J"), ("har", "second"))
    captures = tuple(build.facts(format=name, why=why) for name, why in read)
    lines = render(build.diagnosis(captures=captures)).splitlines()
    assert lines[1:3] == ["read as har: first", "read as enveloped: likely, \\u{1b}[2J"]
    assert lines[3].startswith("findings: ")
