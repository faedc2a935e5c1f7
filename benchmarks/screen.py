"""What a key costs on the screen with many reads, and how soon a large body stands there.

python -m benchmarks.screen [--reads N] [--body BYTES]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.screens.matrix import MatrixScreen
from app.screens.triage import TriageScreen
from app.tui import TriageApp
from benchmarks import table
from benchmarks.table import Row
from diagnosis.query.filters import parse_filter
from diagnosis.questions.judgement import Judgement
from diagnosis.statements import load_statements

STEPS = 50
FILTERS = ("any:fault", "tenant:t7 session:s-7", "uri~/99$")


def main() -> None:
    """Measures and prints; a slow machine fails nothing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screen", description=__doc__)
    parser.add_argument("--reads", type=int, default=200_000, metavar="N", help="reads in the list")
    parser.add_argument("--body", type=int, default=1_000_000, metavar="BYTES", help="length of the large document")
    given = parser.parse_args()
    print(table.rendered(f"Screen, {given.reads:,} reads", measured(given.reads, given.body)))


def measured(reads: int, body: int) -> list[Row]:
    """What the keys cost with so many reads, the last of which has a document of so many bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "screen.jsonl"
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(_lines(reads, body))
        return asyncio.run(_measure(path, body))


def _lines(reads: int, body: int) -> Iterator[str]:
    """Reads of 500 sessions and 37 tenants; the last one has the large document."""
    for number in range(reads):
        uri, session = f"report://t{number % 37}/{number}", f"s-{number % 500}"
        rows = ["word " * 9] * (body // 50) if number == reads - 1 else []
        text = json.dumps({"tenant": f"t{number % 37}", "rows": rows})
        for direction, message in (
            ("client->server", {"method": "resources/read", "params": {"uri": uri}}),
            ("server->client", {"result": {"contents": [{"uri": uri, "text": text}]}}),
        ):
            yield (
                json.dumps(
                    {"dir": direction, "session": session, "message": {"jsonrpc": "2.0", "id": number, **message}}
                )
                + "\n"
            )


async def _measure(path: Path, body: int) -> list[Row]:
    """Opens the log in the real program, without a terminal, and works with it."""
    allowed = ",".join(f"t{number}" for number in range(36))  # so every read of t36 is a finding
    start = time.perf_counter()
    statements = load_statements(allow=[allowed], templates=["report://{tenant}/{number}"])
    app = TriageApp([str(path)], statements)
    async with app.run_test(size=(120, 36)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        rows = [Row("read and judged to the end", f"{time.perf_counter() - start:.1f} s")]
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        judgements = screen.diagnosis.judgements
        steps = [_milliseconds(lambda: _step(screen)) for _ in range(STEPS)]
        rows.append(Row("`j`", f"median {statistics.median(steps):.1f} ms, most {max(steps):.1f} ms", "10 ms"))
        for words in FILTERS:
            row = f"filter `{words}`"
            rows.append(Row(row, f"{_milliseconds(lambda words=words: _filtered(words, judgements)):.0f} ms"))
        for key, work in (
            ("`n`", lambda: screen.action_finding(1)),
            ("`b`", screen.action_alike),
            ("`]`", lambda: screen.action_in_session(1)),
            ("`0`", screen.action_all),
            ("`3`", lambda: screen.action_only(2)),
            ("`M`", lambda: MatrixScreen(screen, screen.overview.across.matrix if screen.overview.across else ())),
        ):
            rows.append(Row(key, f"{_milliseconds(work):.1f} ms"))
            await pilot.pause()
        screen.action_all()
        screen.list.rows.action_last()
        screen.show_read()
        messages = screen.panes.messages
        rows.append(Row(f"messages with {body:,} bytes", f"{_milliseconds(messages.lay_out):.0f} ms"))
        rows.append(Row("a text found in them", f"{_milliseconds(lambda: messages.find('no such text')):.0f} ms"))
    return rows


def _step(screen: TriageScreen) -> None:
    """What a step of the cursor does before the screen is drawn."""
    screen.list.rows.action_cursor_down()
    screen.show_read()


def _filtered(words: str, judgements: Sequence[Judgement]) -> int:
    """What a filter costs over all reads; the screen does it in slices, and answers keys in between."""
    return sum(map(parse_filter(words).matches, judgements))


def _milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
