"""Hostile files that a script beside the repository writes; skipped where the script is absent."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from diagnosis.captures import Message, NotACapture, Source, items_of, open_sources, recognise
from diagnosis.diagnosis import diagnose
from diagnosis.options import Options

MAKE = Path(__file__).parents[4] / "shared" / "badinputs" / "make.py"
GROUPS = ("bytes", "json", "packed", "shape")

pytestmark = pytest.mark.skipif(not MAKE.is_file(), reason="the script that writes the hostile files is absent")

# Messages and reads where the index leaves the answer open, or where this tool decides otherwise than it; and why.
DECIDED: dict[str, tuple[int, int, str]] = {
    "bytes-utf16le-bom.jsonl": (2, 1, "UTF-16 is decoded; nothing is guessed with a mark and NULs"),
    "bytes-utf16be-nobom.jsonl": (2, 1, "NULs in every other byte of JSON name the charset without a mark"),
    "bytes-lone-surrogate.jsonl": (4, 2, "JSON allows the escape; the message carries the note lone-surrogate"),
    "bytes-cr-only.jsonl": (2, 1, "both documents of the one line are whole; they carry the note recovered"),
    "bytes-two-docs-one-line.jsonl": (2, 1, "both documents of the line are whole; they carry the note recovered"),
    "bytes-log-prefix.jsonl": (0, 0, "no format knows the prefix: refused, saying that messages stand in it"),
    "json-number-nan.jsonl": (2, 1, "NaN is no JSON: the line is unreadable and the reason names the word"),
    "json-number-infinity.jsonl": (2, 1, "Infinity is no JSON, as NaN"),
    "json-number--infinity.jsonl": (2, 1, "-Infinity is no JSON, as NaN"),
    "json-number-1e400.jsonl": (3, 2, "valid JSON; only the number is too large, and nothing rests on it"),
    "json-dup-method.jsonl": (2, 0, "the last method wins in the message, which carries the note duplicate-key"),
    "packed-bomb.jsonl.zst": (0, 0, "its first 64 KiB are blank; asked for by name it ends at the ratio limit"),
    "packed-good.jsonl.gz": (2, 1, "gzip is read"),
    "packed-cut.jsonl.gz": (383, 192, "all whole lines before the cut; then the cut line and the rest are unreadable"),
    "packed-two-members.jsonl.gz": (2, 1, "all streams of a file are read"),
    "packed-trailing-garbage.jsonl.gz": (2, 1, "the messages are kept, the 7 bytes behind them are unreadable"),
    "packed-misnamed.jsonl": (2, 1, "compression is known by content, never by name"),
    "packed-slip.zip": (6, 3, "members are read in memory: a name that climbs out is only shown"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("bad") / "inputs"
    subprocess.run([sys.executable, str(MAKE), str(made)], check=True, capture_output=True)
    return made


def entries(folder: Path, group: str) -> list[dict[str, Any]]:
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return [each for each in index if each["group"] == group]


def expected(entry: dict[str, Any]) -> tuple[int, int]:
    if entry["file"] in DECIDED:
        return DECIDED[entry["file"]][:2]
    return entry["messages_expected"], entry["reads_expected"]


@pytest.mark.parametrize("group", GROUPS)
def test_counts_and_ledger(folder: Path, group: str) -> None:
    for entry in entries(folder, group):
        diagnosis = diagnose([str(folder / entry["file"])])
        found = [(facts.messages, facts.reads) for facts in diagnosis.captures]
        assert (sum(each[0] for each in found), sum(each[1] for each in found)) == expected(entry), entry
        assert diagnosis.captures or diagnosis.refusals, "nothing is passed over in silence"
        assert len(diagnosis.problems) == sum(each.unreadable for each in diagnosis.captures), entry
        assert all(each.why and each.span.line for each in diagnosis.problems), entry


@pytest.mark.parametrize("group", GROUPS)
def test_every_line_is_one_thing(folder: Path, group: str) -> None:
    for entry in entries(folder, group):
        for source in open_sources(str(folder / entry["file"])):
            assert isinstance(source, Source)
            with source:
                try:
                    capture_format = recognise(source).format
                except NotACapture:
                    continue
                kinds: dict[int, set[str]] = {}
                for item in items_of(source, capture_format):
                    kind = "message" if isinstance(item, Message) else str(item.kind)
                    if kind == "message" or not item.span.layers:
                        kinds.setdefault(item.span.line, set()).add(kind)
                if entry["file"] != "shape-array-file.json":
                    lines = source.line_count + (source.trouble is not None)
                    assert sorted(kinds) == list(range(1, lines + 1)), entry
                assert all(len(kind) == 1 for kind in kinds.values()), entry


def test_bombs_end_at_the_limit_when_the_format_is_asked_for(folder: Path) -> None:
    for name in ("packed-bomb.jsonl.gz", "packed-bomb-nested.jsonl.gz", "packed-bomb.jsonl.zst"):
        diagnosis = diagnose([str(folder / name)], options=Options(capture_format="json-rpc"))
        assert diagnosis.captures[0].partial and "200 times" in diagnosis.problems[-1].why


def test_what_the_index_leaves_open_is_decided(folder: Path) -> None:
    every = [each for group in GROUPS for each in entries(folder, group)]
    open_ones = {each["file"] for each in every if None in (each["messages_expected"], each["reads_expected"])}
    assert open_ones | {"packed-slip.zip"} == set(DECIDED)
