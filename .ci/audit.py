"""Says what pip-audit found; fails for a known vulnerability, and skips with a reason where nothing could be asked.

audit.py REPORT ERRORS STATUS
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(report: str, errors: str, status: int) -> int:
    """Returns the exit status of the step: 1 for a vulnerability."""
    try:
        packages = json.loads(Path(report).read_text("utf-8"))["dependencies"]
    except (ValueError, KeyError):
        said = Path(errors).read_text("utf-8").strip().splitlines() or [f"status {status}"]
        print(f"skipped: no advisory source could be asked ({said[-1][:200]})")
        return 0
    found = [(each, one) for each in packages for one in each.get("vulns", ())]
    for package, one in found:
        fixed = ", ".join(one.get("fix_versions", ())) or "none yet"
        print(f"{package['name']} {package['version']}: {one['id']}, fixed in {fixed}")
    unknown = sum("skip_reason" in each for each in packages)
    if unknown == len(packages):
        print(f"skipped: the advisory source that can be reached knows none of {unknown} packages")
    else:
        print(
            f"{len(packages) - unknown} packages audited, {unknown} unknown to the source, {len(found)} vulnerabilities"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
