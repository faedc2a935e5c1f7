"""A capture that is still written: whatever becomes of the file, no read is lost, doubled or answered wrongly."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis import diagnose
from diagnosis.captures.growing import ONE_DOCUMENT, PACKED
from diagnosis.diagnosis import Diagnosis
from diagnosis.follow import ARCHIVE, CUT, INPUT, REPLACED, ROTATED, SEVERAL, UNFINISHED, VANISHED, Pace, refusal
from diagnosis.ledger import Progress
from diagnosis.options import Options
from tests.diagnosis.captures.samples import samples

Step = Callable[[], object]


def ask(number: int) -> bytes:
    """A request, as a line."""
    body = {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": f"r://acme/{number}"}}
    return json.dumps(body).encode() + b"\n"


def answer(number: int) -> bytes:
    """Its answer, as a line."""
    contents = [{"uri": f"r://acme/{number}", "text": f"text {number}"}]
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": {"contents": contents}}).encode() + b"\n"


class Log:
    """A log with its writer: steps are taken one by one, each time that the reader waits."""

    def __init__(self, folder: Path, data: bytes = b"", name: str = "app.log") -> None:
        self.path = folder / name
        self.path.write_bytes(data)
        self.seen: list[tuple[int, int]] = []  # reads and answers at each wait
        self.told: list[Progress] = []

    def append(self, data: bytes) -> Step:
        def step() -> None:
            with open(self.path, "ab") as file:
                file.write(data)

        return step

    def anew(self, data: bytes) -> Step:
        """Another file takes the name, as an editor or `mv` does it."""

        def step() -> None:
            other = self.path.with_suffix(".new")
            other.write_bytes(data)
            os.replace(other, self.path)

        return step

    def rename(self, name: str = "app.log.1") -> Step:
        return lambda: os.rename(self.path, self.path.parent / name)

    def follow(self, steps: Sequence[Step], diagnosis: Diagnosis | None = None) -> Diagnosis:
        diagnosis = diagnosis or Diagnosis([str(self.path)])
        left = list(steps)

        def wait(progress: Progress) -> bool:
            self.told.append(progress)
            self.seen.append((len(diagnosis.judgements), answered(diagnosis)))
            if not left:
                return False
            left.pop(0)()
            return True

        for _ in diagnosis.follow(wait, now=lambda: 0.0):
            pass
        return diagnosis


def nothing() -> None:
    """Time passes."""


def answered(diagnosis: Diagnosis) -> int:
    return sum(each.read.response is not None for each in diagnosis.judgements)


def counts(diagnosis: Diagnosis) -> list[tuple[int, int, int, int]]:
    """Lines, messages, other and unreadable lines of each part."""
    return [(each.lines, each.messages, each.other, each.unreadable) for each in diagnosis.captures]


def text(diagnosis: Diagnosis) -> list[tuple[int, str | None, bool]]:
    return [(one.read.number, one.read.uri, one.read.response is not None) for one in diagnosis.judgements]


def test_what_is_appended_is_read_and_reads_keep_their_numbers(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1) + answer(1))
    diagnosis = log.follow([log.append(ask(2) + ask(3)), nothing, log.append(answer(3)), log.append(answer(2))])
    assert log.seen == [(1, 1), (3, 1), (3, 1), (3, 2), (3, 3)]
    assert text(diagnosis) == [(0, "r://acme/1", True), (1, "r://acme/2", True), (2, "r://acme/3", True)]
    assert counts(diagnosis) == [(6, 6, 0, 0)]
    assert (diagnosis.partial, diagnosis.followed, diagnosis.captures[0].changed) == (False, True, False)
    assert diagnosis.captures[0].sha256 == diagnose([str(log.path)]).captures[0].sha256


def test_half_a_line_waits_for_its_rest(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1) + answer(1)[:30])
    diagnosis = log.follow([nothing, log.append(answer(1)[30:-1]), nothing, log.append(b"\n")])
    assert log.seen == [(1, 0), (1, 0), (1, 0), (1, 0), (1, 1)]
    assert counts(diagnosis) == [(2, 2, 0, 0)]
    assert diagnosis.problems == []


def test_half_a_line_at_the_end_of_following_is_accounted_for_and_no_fault(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1) + answer(1)[:30])
    diagnosis = log.follow([])
    assert counts(diagnosis) == [(2, 1, 1, 0)]
    assert diagnosis.problems == []
    assert UNFINISHED.startswith("a line that was still being written")


def test_a_whole_message_without_its_line_break_counts_when_following_ends(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1) + answer(1)[:-1])
    assert answered(log.follow([])) == 1


def test_a_bad_line_is_unreadable_also_while_following(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1))
    diagnosis = log.follow([log.append(b'{"jsonrpc": "2.0", "id"\n')])
    assert counts(diagnosis) == [(2, 1, 0, 1)]


def test_a_rotated_log_is_read_to_its_end_and_the_new_one_goes_on(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1))

    def late() -> None:  # the writer still has the old file open
        with open(tmp_path / "app.log.1", "ab") as file:
            file.write(ask(2))

    steps = [log.rename(), lambda: log.path.touch(), late, log.append(answer(2) + answer(1))]
    diagnosis = log.follow(steps)
    assert text(diagnosis) == [(0, "r://acme/1", True), (1, "r://acme/2", True)]
    assert counts(diagnosis) == [(2, 2, 0, 0), (2, 2, 0, 0)]
    assert list(diagnosis.notices) == [ROTATED]
    assert [one.read.capture for one in diagnosis.judgements] == [str(log.path)] * 2
    assert diagnosis.sets[0].paths == (str(log.path), f"{log.path}#2")
    for one in diagnosis.judgements:  # of both files: the old one is found under its new name
        number = int((one.read.uri or "")[-1])
        assert one.read.response is not None
        assert diagnosis.evidence(one.read.request) == ask(number)[:-1]
        assert diagnosis.evidence(one.read.response.seen) == answer(number)[:-1]


def test_lines_written_just_before_the_new_file_are_not_lost(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1))

    def at_once() -> None:
        log.append(answer(1) + ask(2))()
        log.rename()()
        log.path.write_bytes(answer(2))

    diagnosis = log.follow([at_once])
    assert text(diagnosis) == [(0, "r://acme/1", True), (1, "r://acme/2", True)]


def test_a_log_that_is_copied_and_cut_goes_on(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1))

    def copytruncate() -> None:
        (tmp_path / "app.log.1").write_bytes(log.path.read_bytes())
        os.truncate(log.path, 0)

    diagnosis = log.follow([copytruncate, nothing, log.append(answer(1) + ask(2))])
    # The request that this answer belongs to may have been lost in the cut: the read before it stays open.
    assert text(diagnosis) == [(0, "r://acme/1", False), (1, "r://acme/2", False)]
    assert (diagnosis.sets[0].parted, "belong to no read" in diagnosis.limits[0]) == ((f"{log.path}#2",), True)
    assert list(diagnosis.notices) == [CUT]
    # Other bytes stand there now: what is gone is never shown as evidence.
    assert diagnosis.evidence(diagnosis.judgements[0].read.request) is None
    assert diagnosis.evidence(diagnosis.judgements[1].read.request) == ask(2)[:-1]


def test_a_log_that_was_cut_and_is_longer_again_by_the_next_look_is_noticed(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1))
    diagnosis = log.follow([lambda: log.path.write_bytes(answer(1) + ask(2) + answer(2))])
    assert text(diagnosis) == [(0, "r://acme/1", False), (1, "r://acme/2", True)]
    assert list(diagnosis.notices) == [CUT]


def test_another_log_in_its_place_is_followed(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1) + answer(1))
    records = [json.dumps({"ts": "2026-01-01T00:00:00Z", "message": json.loads(line)}) for line in (ask(7), answer(7))]
    diagnosis = log.follow([log.anew("\n".join(records).encode() + b"\n"), nothing])
    assert [each.format for each in diagnosis.captures] == ["json-rpc", "enveloped"]
    assert text(diagnosis) == [(0, "r://acme/1", True), (1, "r://acme/7", True)]
    assert list(diagnosis.notices) == [REPLACED]
    assert diagnosis.evidence(diagnosis.judgements[0].read.request) is None  # that file has no name any more


def test_a_log_that_vanishes_is_awaited(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1))
    away = tmp_path / "away"
    steps = [lambda: os.rename(log.path, away), nothing, nothing, lambda: os.rename(away, log.path)]
    diagnosis = log.follow([*steps, log.append(answer(1))])
    assert list(diagnosis.notices) == [VANISHED]
    assert counts(diagnosis) == [(2, 2, 0, 0)]
    assert answered(diagnosis) == 1


def test_an_empty_log_is_awaited_until_its_format_shows(tmp_path: Path) -> None:
    log = Log(tmp_path)
    diagnosis = log.follow([nothing, log.append(b"server starts\n"), log.append(ask(1)), log.append(answer(1))])
    assert counts(diagnosis) == [(3, 2, 1, 0)]
    assert answered(diagnosis) == 1


def test_what_never_becomes_a_capture_is_refused(tmp_path: Path) -> None:
    diagnosis = Log(tmp_path, b"nothing of interest\n").follow([nothing])
    assert [each.kind for each in diagnosis.refusals] == ["not-a-capture"]
    assert (diagnosis.captures, diagnosis.judgements) == ([], [])


def test_the_log_of_a_container_is_followed_line_by_line(tmp_path: Path) -> None:
    def wrapped(line: bytes) -> bytes:
        record = {"log": line.decode(), "stream": "stdout", "time": "2026-11-02T10:00:00.000000000Z"}
        return json.dumps(record).encode() + b"\n"

    log = Log(tmp_path, wrapped(ask(1)))
    steps = [log.append(wrapped(answer(1))), log.append(wrapped(ask(2))[:50]), log.append(wrapped(ask(2))[50:])]
    diagnosis = log.follow([*steps, log.append(wrapped(answer(2)))])
    assert diagnosis.captures[0].format == "wrapped-docker"
    assert log.seen == [(1, 0), (1, 1), (1, 1), (2, 1), (2, 2)]
    assert counts(diagnosis) == [(4, 4, 0, 0)]


def test_colours_of_a_terminal_are_followed_too(tmp_path: Path) -> None:
    red = b"\x1b[31mserver\x1b[0m starts\n"
    log = Log(tmp_path, red + ask(1))
    diagnosis = log.follow([log.append(red[:9]), log.append(red[9:] + answer(1)), log.append(red + ask(2))])
    whole = diagnose([str(log.path)])
    assert diagnosis.judgements == whole.judgements
    assert counts(diagnosis) == counts(whole)
    assert diagnosis.evidence(diagnosis.judgements[1].read.request) == ask(2)[:-1]


def test_the_clock_of_a_rotated_log_is_put_right_in_all_its_parts(tmp_path: Path) -> None:
    def at(line: bytes) -> bytes:
        return json.dumps({"ts": "2026-11-02T10:00:00Z", "message": json.loads(line)}).encode() + b"\n"

    log = Log(tmp_path, at(ask(1)))
    options = Options(shifts={str(log.path): timedelta(seconds=40)})
    steps = [log.rename(), log.append(at(answer(1)) + at(ask(2)))]
    diagnosis = log.follow(steps, Diagnosis([str(log.path)], options=options))
    times = [(one.read.capture, one.read.time) for one in diagnosis.judgements]
    assert times == [(str(log.path), "2026-11-02T10:00:40.000Z"), (f"{log.path}#2", "2026-11-02T10:00:40.000Z")]


def test_a_template_that_is_listed_later_is_known_from_the_next_calm_moment(tmp_path: Path) -> None:
    listed = {"resourceTemplates": [{"uriTemplate": "r://{tenant}/{number}", "name": "r"}]}
    asked = {"jsonrpc": "2.0", "id": 2, "method": "resources/templates/list"}
    lines = [json.dumps(one).encode() for one in (asked, {"jsonrpc": "2.0", "id": 2, "result": listed})]
    log = Log(tmp_path, ask(1) + answer(1))
    diagnosis, clock, found = Diagnosis([str(log.path)]), [0.0], []
    steps = [log.append(b"\n".join(lines) + b"\n"), nothing]

    def wait(progress: Progress) -> bool:
        clock[0] += 3.0
        found.append((progress.settled, diagnosis.judgements[0].template))
        if steps:
            steps.pop(0)()
            return True
        return False

    for _ in diagnosis.follow(wait, now=lambda: clock[0]):
        pass
    assert found == [(True, None), (False, None), (True, "r://{tenant}/{number}")]


def test_counts_go_on_at_calm_moments(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1))
    diagnosis, clock, found = Diagnosis([str(log.path)]), [0.0], []
    steps = [log.append(answer(1)), nothing, nothing]

    def wait(progress: Progress) -> bool:
        clock[0] += 3.0
        found.append((progress.settled, [each.lines for each in diagnosis.captures]))
        if steps:
            steps.pop(0)()
            return True
        return False

    for _ in diagnosis.follow(wait, now=lambda: clock[0]):
        pass
    assert found == [(True, [1]), (False, [1]), (True, [2]), (True, [2])]


def test_stopped_while_it_waits_it_is_not_partial(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(1))
    diagnosis = Diagnosis([str(log.path)])
    log.follow([log.append(answer(1)), diagnosis.stop, log.append(ask(2))], diagnosis)
    assert (diagnosis.partial, len(diagnosis.judgements), answered(diagnosis)) == (False, 1, 1)


def test_stopped_on_the_way_to_the_end_it_is_partial(tmp_path: Path) -> None:
    log = Log(tmp_path, b"".join(ask(number) for number in range(9)))
    diagnosis = Diagnosis([str(log.path)])
    reading = diagnosis.follow(lambda _: True, batch=0.0)
    next(reading)
    diagnosis.stop()
    for _ in reading:
        pass
    assert (diagnosis.partial, diagnosis.followed) == (True, False)
    assert len(diagnosis.judgements) < 9


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    log = Log(tmp_path, ask(0))
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    if before is None:
        pytest.skip("this system does not list a process's descriptors")
    during: list[int] = []
    steps: list[Step] = []
    for number in range(1, 20):
        steps += [log.rename(f"app.log.{number}"), log.append(ask(number)), nothing]
        steps.append(lambda: during.append(len(os.listdir("/proc/self/fd"))))
    log.follow(steps)
    assert max(during) <= before + 2
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("shape", ["array", "har"])
def test_one_document_is_read_once_and_says_so(tmp_path: Path, shape: str) -> None:
    body = b"[" + ask(1).strip() + b",\n" + answer(1).strip() + b"]"
    if shape == "har":
        request = {"method": "POST", "url": "https://a.test/mcp", "headers": [], "postData": {"text": ask(1).decode()}}
        response = {
            "status": 200,
            "headers": [],
            "content": {"mimeType": "application/json", "text": answer(1).decode()},
        }
        body = json.dumps({"log": {"version": "1.2", "entries": [{"request": request, "response": response}]}}).encode()
    diagnosis = Log(tmp_path, body).follow([nothing] * 3)
    assert list(diagnosis.notices) == [ONE_DOCUMENT]
    assert (answered(diagnosis), diagnosis.partial) == (1, False)


def test_what_is_compressed_is_read_once_and_says_so(tmp_path: Path) -> None:
    log = Log(tmp_path, gzip.compress(ask(1) + answer(1)))
    diagnosis = log.follow([nothing] * 3)
    assert list(diagnosis.notices) == [PACKED]
    assert answered(diagnosis) == 1
    assert diagnosis.evidence(diagnosis.judgements[0].read.request) == ask(1)[:-1]


def test_what_cannot_be_followed_at_all(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    archive.write_bytes(b"PK\x03\x04")
    assert refusal(("a", "b")) == SEVERAL
    assert refusal(("-",)) == INPUT
    assert refusal((str(archive),)) == ARCHIVE
    assert refusal((str(tmp_path / "missing"),)) == ""


def cut_up(data: bytes, rest: random.Random) -> list[bytes]:
    pieces: list[bytes] = []
    while data:
        size = rest.choice((1, 2, 3, 50, 97, 500, 4096, 70_000))
        pieces.append(data[:size])
        data = data[size:]
    return pieces


def test_ten_thousand_lines_in_odd_pieces_are_what_the_whole_file_is(tmp_path: Path) -> None:
    data = b"".join(ask(number) + (answer(number) if number % 7 else b"noise\n") for number in range(5000))
    log = Log(tmp_path)
    followed = log.follow([log.append(piece) for piece in cut_up(data, random.Random(1))])
    whole = diagnose([str(log.path)])
    assert followed.judgements == whole.judgements
    assert counts(followed) == counts(whole) == [(10_000, 9_285, 715, 0)]


LINES = (
    ask(1),
    answer(1),
    ask(2),
    answer(2),
    b"\n",
    b"text \xc3\xa9\n",
    b'{"jsonrpc": "2.0", "id": 3,\n',
    answer(9),
    b"\r\n",
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=12), st.lists(st.integers(1, 90), min_size=1))
def test_any_cutting_gives_the_same(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], sizes: list[int]
) -> None:
    data, pieces, at = b"".join([ask(0), *lines]), [], 0
    for turn in range(len(data)):
        size = sizes[turn % len(sizes)]
        pieces.append(data[at : at + size])
        at += size
    log = Log(tmp_path_factory.mktemp("log"))
    followed = log.follow([log.append(piece) for piece in pieces if piece])
    whole = diagnose([str(log.path)])
    assert followed.judgements == whole.judgements
    assert counts(followed) == counts(whole)
    assert [each.span for each in followed.problems] == [each.span for each in whole.problems]


@pytest.mark.parametrize("size", [7, None], ids=["pieces", "lines"])
@pytest.mark.parametrize(("name", "data"), samples(), ids=[name for name, _ in samples()])
def test_every_format_is_read_the_same(tmp_path: Path, name: str, data: bytes, size: int | None) -> None:
    log = Log(tmp_path)
    pieces = (
        data.splitlines(keepends=True) if size is None else [data[at : at + size] for at in range(0, len(data), size)]
    )
    followed = log.follow([log.append(piece) for piece in pieces])
    if not followed.notices:  # else it was read once, at a time when a part of it was there
        assert log.path.read_bytes() == data
    whole = diagnose([str(log.path)])
    assert [each.format for each in followed.captures] == [each.format for each in whole.captures]
    assert followed.judgements == whole.judgements
    assert counts(followed) == counts(whole)


def test_everything_is_judged_again_at_calm_moments_and_ever_less_often() -> None:
    clock = [100.0]
    pace = Pace(lambda: clock[0])
    pace.changed()
    assert pace.due()  # the load came to the end of the file
    clock[0] = 102.0
    pace.judged(began=100.0)  # it took two seconds
    assert not pace.due()
    pace.changed()
    clock[0] = 141.9
    assert not pace.due()  # calm, and less than forty seconds since
    clock[0] = 142.0
    assert pace.due()
    pace.judged(began=142.0)
    assert not pace.due()  # nothing came
    for second in range(5):
        clock[0] = 142.0 + second
        pace.changed()
        assert not pace.due()
    clock[0] = 147.0
    pace.changed()
    assert pace.due()  # it never gets calm
