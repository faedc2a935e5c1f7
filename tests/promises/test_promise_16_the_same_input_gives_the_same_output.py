"""Findings and exports are the same for the same bytes: whatever the hash seed, the zone, the locale or the moment."""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Each is one way in which a program comes to depend on the machine that it runs on.
WORLDS = (
    {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C", "COLUMNS": "200"},
    {"PYTHONHASHSEED": "2", "TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8", "COLUMNS": "40"},
)
# Everything that can be written, in one process for each world, and at another moment in each.
RENDER = """
import sys
from datetime import UTC, datetime
from diagnosis import diagnose
from diagnosis.reports import REPORTS
from tests.promises.logs import SAMPLES, sample

now = datetime(2000 + int(sys.argv[1]), 1, 1, tzinfo=UTC)
opened = [sample(name) for name in SAMPLES]
opened += [diagnose([path]) for path in sys.argv[2:]]
for diagnosis in opened:
    for report in REPORTS:
        print("==", diagnosis.captures[:1], report.name)
        print(report.render(diagnosis, now))
"""


def rendered(year: int, world: dict[str, str], paths: list[str]) -> list[str]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | world
    command = [sys.executable, "-X", "utf8", "-c", RENDER, str(year), *paths]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr[-800:]
    return done.stdout.decode().splitlines()


def test_two_worlds(tmp_path: Path) -> None:
    from tests.bad_inputs.own import own

    paths = []
    for each in own():
        (tmp_path / each.name).write_bytes(each.data)
        paths.append(str(tmp_path / each.name))
    one, other = (rendered(year, world, paths) for year, world in enumerate(WORLDS))
    assert len(one) > 5000
    changed = [
        line for line in difflib.unified_diff(one, other, n=0, lineterm="") if not line.startswith(("@@", "---", "+++"))
    ]
    # Only a dated header may differ, and does: the two moments are a year apart.
    assert {line.strip("+-") for line in changed} == {f"Date: 200{year}-01-01T00:00:00Z" for year in range(2)}
