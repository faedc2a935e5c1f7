"""Which names may be parts of one stream; worked out from how logrotate, Docker, CRI and Claude Desktop name them."""

from __future__ import annotations

import pytest

from diagnosis.captures.families import are_sides, families, part_of, sides_of
from diagnosis.options import Join


@pytest.mark.parametrize(
    ("path", "base"),
    [
        ("logs/app.log", "logs/app.log"),
        ("logs/app.log.1", "logs/app.log"),
        ("logs/app.log.12.gz", "logs/app.log"),
        ("logs/app.log-20261102", "logs/app.log"),
        ("logs/app.log-20261102.gz", "logs/app.log"),
        ("app.log.2026-11-02", "app.log"),
        ("0.log.20261102-093000.zst", "0.log"),
        ("app-2026-11-02.log", "app.log"),
        ("main.old.log", "main.log"),
        ("main.log.old", "main.log"),
        ("abc-json.log.2", "abc-json.log"),
        ("mcp-server-reports1.log", "mcp-server-reports.log"),
        # Not rotated: a version, a piece without a suffix, a session named by its date.
        ("trace-v1.2", "trace-v1.2"),
        ("2026-11-02.jsonl", "2026-11-02.jsonl"),
        ("session-2026-11-02.jsonl", "session-2026-11-02.jsonl"),
        ("customer-10000001.log", "customer-10000001.log"),  # a number with as many digits as a date
    ],
)
def test_the_name_of_the_part_that_is_written_now(path: str, base: str) -> None:
    assert part_of(path).base == base


def test_parts_sort_from_the_oldest_to_the_current_one() -> None:
    numbered = ["a.log", "a.log.10", "a.log.2", "a.log.1"]
    dated = ["a.log", "a.log-20261102", "a.log-20261030.gz"]
    assert sorted(numbered, key=lambda path: part_of(path).age) == ["a.log.10", "a.log.2", "a.log.1", "a.log"]
    assert sorted(dated, key=lambda path: part_of(path).age) == ["a.log-20261030.gz", "a.log-20261102", "a.log"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("run/proc.stdin", "run/proc.stdout", True),
        ("stdio_pair_stdin.log", "stdio_pair_stdout.log", True),
        ("a-requests.jsonl", "a-responses.jsonl", True),
        ("c2s.log.gz", "s2c.log", True),
        ("a-in.log", "b-out.log", False),
        ("x/a-in.log", "y/a-out.log", False),
        ("a-stdin.log", "a-response.log", False),
        ("margin.log", "maroutput.log", False),
        ("in-out.log", "out-in.log", False),
    ],
)
def test_names_of_the_two_directions(one: str, other: str, expected: bool) -> None:
    assert are_sides(one, other) is are_sides(other, one) is expected


def test_a_name_with_a_word_for_a_direction() -> None:
    assert sides_of("logs/STDIN.log") == ("logs/*.log", "stdin")
    assert sides_of("logs/session.log") is None


def test_what_must_be_looked_at_together() -> None:
    paths = ["x.har", "a.log.1", "b-in.log", "a.log", "b-out.log", "run1.log", "run2.log", "d1.log", "d.log"]
    assert families(paths, Join.AUTO) == (
        ("x.har",),
        ("a.log.1", "a.log"),
        ("b-in.log", "b-out.log"),
        ("run1.log",),  # no run.log is there: two runs, not two parts
        ("run2.log",),
        ("d1.log", "d.log"),
    )
    assert families(["r/requests.log.1", "r/requests.log"], Join.AUTO) == (("r/requests.log.1", "r/requests.log"),)
    assert families(paths, Join.ALL) == (tuple(paths),)
    assert families(paths, Join.NONE) == tuple((path,) for path in paths)
    assert families([], Join.ALL) == ()
