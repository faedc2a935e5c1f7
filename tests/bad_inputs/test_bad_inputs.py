"""Every hostile file, opened in a process of its own with ten seconds and a gigabyte.

The files of `own.py` are always there, those of `corpus.py` where their script is. What each file must give stands in
`expected.py`. Processes under a fault (signals, a full disk, a file that changes) are in `tests/scenarios`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diagnosis import diagnose
from diagnosis.options import Options
from diagnosis.reports import REPORTS
from tests.bad_inputs import corpus
from tests.bad_inputs.expected import DECIDED, LOCKED, REFUSED, Expected, counted, plain
from tests.bad_inputs.own import GOOD, own

if not hasattr(os, "fork"):
    pytest.skip("runs are forks, and this system has none", allow_module_level=True)
from tests.bad_inputs.runs import EXPORTS, Run, Runs  # needs modules that only such systems have

OWN = {each.name: each for each in own()}
needs_corpus = pytest.mark.skipif(not corpus.MAKE.is_file(), reason=corpus.ABSENT)
# One process of each is started as a person starts it; the others are forks of a program that was loaded once.
AS_A_PERSON_STARTS_IT = ("attack-csi.jsonl", "bomb.gz", "depth-100000.jsonl")
MANY = 1000  # messages; the text report of such a file is rendered with the other exports only


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    folder = tmp_path_factory.mktemp("runs")
    (folder / EXPORTS).mkdir()
    with Runs(folder) as opened:
        yield opened


def check_output(run: Run) -> None:
    """No crash, no byte that a terminal obeys, nothing that is not UTF-8."""
    text = (run.out + run.err).decode("utf-8")
    assert run.status in (0, 1, 2, 3), (run.status, run.err[-500:])
    assert "Traceback" not in text
    assert all(line.isprintable() for line in text.split("\n"))


def check_ledger(report: dict[str, Any], expected: Expected) -> None:
    captures = report["captures"]
    found = {
        name: sum(each[name] for each in captures)
        for name in ("messages", "reads", "lines", "blank", "other", "unreadable")
    }
    assert found == {name: getattr(expected, name) for name in found}
    assert len(report["reads"]) == expected.reads
    # Each unreadable line is listed by its place, so that none hides another.
    assert len(report["problems"]) == expected.unreadable
    assert all(each["line"] and each["reason"] for each in report["problems"])


def check_file(runs: Runs, path: str, expected: Expected, canaries: tuple[str, ...]) -> None:
    run = runs.run("report", "--format", "json", "--", path)
    check_output(run)
    assert run.status == expected.status, run.err
    if expected == REFUSED:  # how it is used, and what is wrong
        assert (run.out, run.err.count(b"\n")) == (b"", 2)
        return
    report = json.loads(run.out)
    if expected.opened:
        check_ledger(report, expected)
    else:
        assert (report["captures"], report["reads"]) == ([], [])
        assert b"Nothing was read." in run.err
    if expected.messages < MANY:
        shown = runs.run("report", "--format", "text", "--", path)
        check_output(shown)
        assert shown.status == expected.status
    rendered, exports = runs.exports(path)
    assert (rendered.status, rendered.err, sorted(exports)) == (0, b"", sorted(each.name for each in REPORTS))
    for name, data in exports.items():
        text = data.decode("utf-8")
        assert all(line.isprintable() for line in text.split("\n")), name
        assert [each for each in canaries if each in text] == [], name


@pytest.mark.parametrize("name", OWN)
def test_a_file_of_our_own(runs: Runs, tmp_path: Path, name: str) -> None:
    one = OWN[name]
    (tmp_path / name).write_bytes(one.data)
    check_file(runs, str(tmp_path / name), one.expected, one.canaries)


@pytest.mark.parametrize("name", AS_A_PERSON_STARTS_IT)
def test_a_process_started_as_a_person_starts_it(tmp_path: Path, name: str) -> None:
    import resource

    (tmp_path / name).write_bytes(OWN[name].data)
    done = subprocess.run(
        [sys.executable, "-m", "app", "report", "--format", "text", str(tmp_path / name)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        timeout=30,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)),
    )
    check_output(Run(done.returncode, done.stdout, done.stderr))
    assert done.returncode == OWN[name].expected.status


@pytest.mark.parametrize("name", corpus.index() or [pytest.param("", marks=pytest.mark.skip(reason=corpus.ABSENT))])
def test_a_file_of_the_larger_set(runs: Runs, name: str) -> None:
    check_file(runs, str(corpus.path_of(name)), corpus.expected_of(name), corpus.canaries())


@needs_corpus
def test_there_are_canaries() -> None:
    assert len(corpus.canaries()) > 15


@needs_corpus
def test_the_index_and_the_count_of_the_bytes_agree() -> None:
    for name, entry in corpus.index().items():
        if name not in DECIDED and name != LOCKED:
            found = counted(corpus.path_of(name).read_bytes())
            assert (found.messages, found.reads) == (entry["messages_expected"], entry["reads_expected"]), name


@needs_corpus
def test_what_the_index_leaves_open_is_decided_and_what_it_says_is_kept() -> None:
    for name, entry in corpus.index().items():
        said = (entry["messages_expected"], entry["reads_expected"])
        if None in said:
            assert name in DECIDED, name
        elif name in DECIDED and name != "packed-slip.zip":  # refused there; here nothing is ever put on a disk
            assert (DECIDED[name][0].messages, DECIDED[name][0].reads) == said, name
    assert set(DECIDED) <= set(corpus.index())


@needs_corpus
@pytest.mark.parametrize("name", ["packed-bomb.jsonl.gz", "packed-bomb-nested.jsonl.gz", "packed-bomb.jsonl.zst"])
def test_a_bomb_ends_at_the_limit_when_its_format_is_asked_for(name: str) -> None:
    diagnosis = diagnose([str(corpus.path_of(name))], options=Options(capture_format="json-rpc"))
    assert diagnosis.captures[0].partial and "200 times" in diagnosis.problems[-1].why


def test_every_line_that_is_expected_is_one_thing() -> None:
    for each in (*(one.expected for one in OWN.values()), *(one for one, _ in DECIDED.values())):
        assert each.lines == each.blank + each.message_lines + each.other + each.unreadable, each


def test_the_count_of_the_bytes_is_right_where_it_was_counted_by_hand() -> None:
    assert counted(GOOD) == plain(2, 1)
    assert counted(OWN["noise.jsonl"].data) == Expected(2, 1, 5, 1, 2, 1, 1, 3)
    assert counted(OWN["attack-c0.jsonl"].data) == plain(2, 1, 1)
    assert counted(OWN["batch.jsonl"].data) == Expected(4, 2, 2, 0, 2, 0, 0, 0)
