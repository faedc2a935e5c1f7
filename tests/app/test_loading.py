"""What is known while captures are being read: names of sessions, severe remarks, how far a load came."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.message import Message

from app.events import LoadEnded, ReadsArrived
from app.loading import Overview, load, share
from app.tui import TriageApp
from app.widgets.counts import partial_line
from diagnosis.diagnosis import Diagnosis
from diagnosis.ledger import Progress
from diagnosis.options import Options
from diagnosis.questions.findings import Severity
from diagnosis.statements import Statements
from tests.app.build import CAPTURE, NOW, FakeDiagnosis, app_of, judgement, remark
from tests.app.screen_text import screen_text, settle


def names(*sessions: str) -> list[str]:
    """The short names of sessions, in the order of the sessions."""
    overview = Overview.of([judgement(at, "x://", session=one) for at, one in enumerate(sessions)])
    return [overview.sessions[one] for one in sessions]


def test_a_thousand_sessions_and_more_have_names() -> None:
    assert names(*(f"session-{at}" for at in range(1200))) == [f"s{at}" for at in range(1, 1201)]


def test_names_that_the_log_uses_itself_are_passed_over() -> None:
    assert names("s1", "s2", "long-a", "s5", "long-b", "s4") == ["s1", "s2", "s3", "s5", "s6", "s4"]
    assert names("long-a", "s1", "long-b") == ["s1", "s2", "s3"]
    taken = [f"s{at}" for at in range(1000)]
    assert len(set(names(*taken, *(f"long-{at}" for at in range(1200))))) == 2200


async def test_sessions_past_the_thousandth_are_told_apart_on_the_screen() -> None:
    app = app_of(FakeDiagnosis([judgement(at, "x://a", session=f"session-{at}") for at in range(1200)]))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        assert " s1199 " in screen_text(app)
        assert " s1200 " in screen_text(app)
        assert "ses   1 2 3" in screen_text(app)


def test_severe_remarks_count_wherever_they_stand() -> None:
    severe = replace(remark("grave", "Bad."), severity=Severity.SEVERE)
    one = judgement(1, "x://")
    reads = [
        judgement(0, "x://", remarks=(severe, severe)),
        replace(one, document=replace(one.document, remarks=(severe,))),
        judgement(2, "x://", remarks=(remark("mild", "Odd."),)),
    ]
    overview = Overview.of(reads)
    assert overview.severe_remarks == 2
    assert [overview.has_finding(at) for at in range(3)] == [True, True, False]


def capture(folder: Path, reads: int) -> str:
    """A capture with this many requests."""
    one = {"jsonrpc": "2.0", "method": "resources/read"}
    lines = (json.dumps(one | {"id": at, "params": {"uri": f"report://acme/{at:06}"}}) for at in range(reads))
    file = folder / "long.jsonl"
    file.write_text("\n".join(lines))
    return str(file)


def test_a_stopped_load_says_how_far_it_came(tmp_path: Path) -> None:
    diagnosis = Diagnosis([capture(tmp_path, 3000)])
    told: list[Message] = []
    before: list[int] = []

    def post(message: Message) -> None:
        told.append(message)
        if isinstance(message, ReadsArrived) and not before and message.progress.reads >= 1000:
            before.append(share(message.progress))
            diagnosis.stop()

    with_small_batches = lambda batch: Diagnosis.read(diagnosis, 0.0)  # noqa: E731
    diagnosis.read = with_small_batches  # type: ignore[method-assign]
    load(diagnosis, post)
    ended = told[-1]
    assert isinstance(ended, LoadEnded)
    assert diagnosis.partial
    assert 10 < before[0] < 100
    last = [one.progress for one in told if isinstance(one, ReadsArrived)][-1]
    assert before[0] <= share(last) <= before[0] + 1
    assert f"only the first {share(last)} % was read" in "".join(piece.text for piece in partial_line(last))


async def test_the_screen_keeps_the_share_of_a_stopped_load(tmp_path: Path) -> None:
    diagnosis = Diagnosis([capture(tmp_path, 3000)])
    shares: list[int] = []

    def read(batch: float):  # type: ignore[no-untyped-def]
        for progress in Diagnosis.read(diagnosis, 0.0):
            if progress.reads == 1500 and not shares:
                shares.append(share(progress))
                diagnosis.stop()
            yield progress

    diagnosis.read = read  # type: ignore[method-assign]
    app = TriageApp(["long.jsonl"], opener=lambda *_: diagnosis)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert any(f"partial: only the first {shares[0] + more} % was read" in text for more in (0, 1))


class HeldAtTheEnd(Diagnosis):
    """A real diagnosis that is read message by message, and waits once all is read and judged."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.at_end, self.go_on = threading.Event(), threading.Event()

    def read(self, batch: float = 0.0, *, provisional: bool = True) -> Iterator[Progress]:
        for progress in super().read(0.0):
            if progress.done:
                self.at_end.set()
                self.go_on.wait(20)
            yield progress


@pytest.mark.parametrize("answered", [True, False])
async def test_reads_that_become_fewer_at_the_end_are_shown_until_the_screen_hears_of_it(
    tmp_path: Path, answered: bool
) -> None:
    lines = []
    for number in range(20):
        uri = f"docs://a/{number}"
        ask = {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": uri}}
        told = {"jsonrpc": "2.0", "id": number, "result": {"contents": [{"uri": uri, "text": "x"}]}}
        both = [ask, told] if answered else [ask]
        lines += [json.dumps({"ts": f"2026-11-02T10:00:{number:02}Z", "session": "s", "message": one}) for one in both]
    for name in ("one.jsonl", "other.jsonl"):
        (tmp_path / name).write_text("".join(line + "\n" for line in lines))
    diagnosis = HeldAtTheEnd(
        [str(tmp_path / name) for name in ("one.jsonl", "other.jsonl")], Statements(), Options(same_traffic=True)
    )
    app = TriageApp([CAPTURE], opener=lambda *_: diagnosis, now=lambda: NOW)
    async with app.run_test(size=(120, 36)) as pilot:
        while not diagnosis.at_end.is_set():
            await pilot.pause()
        await pilot.pause()
        assert len(diagnosis.judgements) == 20
        for key in ("G", "k", "n", "s", "p", "enter", "escape", "slash", "u", "escape", "1", "0", "G"):
            await pilot.press(key)
            await pilot.pause()
        diagnosis.go_on.set()
        await settle(pilot)
        assert "20 reads" in screen_text(app)
        assert app.return_code is None
