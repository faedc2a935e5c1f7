"""Templates that would make a careless matcher run for seconds, and what one whole judgement of them costs.

Templates come out of the log, so whoever wrote the log chose them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import cpu_seconds

HARMLESS = ("d://{a}", "d://x")


@dataclass(frozen=True, slots=True)
class Case:
    """Templates that a server listed, and the URI of one read."""

    name: str
    templates: tuple[str, ...]
    uri: str


def _numbered(form: str, count: int) -> str:
    return "".join(form.format(n=number) for number in range(count))


THREE = "d://{+p}/{+q}/{+r}/z"
FOUR = "d://{x}-{y}-{z}-{w}"
ADJACENT = "d://" + _numbered("{{v{n}}}", 6)
CASES = (
    Case("`{+p}/{+q}/{+r}/z`, 2,000 slashes", (THREE,), "d://" + "/" * 1_995 + "z"),
    Case("`{+p}/{+q}/{+r}/z`, 2,000 characters, and none fits", (THREE,), "d://" + "a/" * 998),
    Case("`{+p}/{+q}/{+r}/z`, 64 KiB", (THREE,), "d://" + "a/" * 32_760 + "z"),
    Case("`{x}-{y}-{z}-{w}`, 1,505 characters", (FOUR,), "d://" + "-" * 1_501),
    Case("`{x}-{y}-{z}-{w}`, 1,505 characters, raw ones between", (FOUR,), "d://" + "-&" * 750 + "-"),
    Case("six adjacent `{v}`, 200 characters", (ADJACENT,), "d://" + "a" * 196),
    Case("six adjacent `{v}`, 64 KiB with separators", (ADJACENT,), "d://" + "a/ " * 21_000),
    Case("six adjacent `{v}` and an end that is missing", (ADJACENT + "!",), "d://" + "a" * 196),
    Case(
        "twelve adjacent `{v}` and an end that is missing",
        ("d://" + _numbered("{{v{n}}}", 12) + "!",),
        "d://" + "a" * 200,
    ),
    Case(
        "eight adjacent `{+v}` and an end that is missing",
        ("d://" + _numbered("{{+v{n}}}", 8) + "!",),
        "d://" + "a" * 400,
    ),
    Case("256 `{v}/`, 64 KiB of values", ("d://" + _numbered("{{v{n}}}/", 256),), "d://" + ("x" * 255 + "/") * 256),
    Case("256 `{v}/`, 64 KiB of slashes", ("d://" + _numbered("{{v{n}}}/", 256),), "d://" + "/" * 65_532),
    Case("256 `{v}-`, 64 KiB of hyphens", ("d://" + _numbered("{{v{n}}}-", 256) + "z",), "d://" + "-" * 65_530 + "z"),
    Case("256 adjacent `{+v}`, 64 KiB", ("d://" + _numbered("{{+v{n}}}", 256) + "!",), "d://" + "a" * 65_530 + "!"),
    Case("5,000 `{v}/`, one character each", ("d://" + _numbered("{{v{n}}}/", 5_000),), "d://" + "x/" * 5_000),
    Case("3,000 templates, one of which fits", tuple(f"d{n}://x/{{a}}/{{b}}" for n in range(3_000)), "d2999://x/a/b"),
    Case(
        "100 templates `{+a}/{+b}/{+c}/z`, 64 KiB",
        tuple(f"d://{{+a{n}}}/{{+b}}/{{+c}}/z" for n in range(100)),
        "d://" + "a/" * 32_760 + "z",
    ),
)


def milliseconds(folder: Path, runs: int) -> Iterator[tuple[str, float]]:
    """For each case the time of a diagnosis with one such read, less that of a harmless read."""
    base = _measure(folder, Case("harmless", HARMLESS[:1], HARMLESS[1]), runs)
    for case in CASES:
        yield case.name, max(0.0, _measure(folder, case, runs) - base) * 1_000


def _measure(folder: Path, case: Case, runs: int) -> float:
    from diagnosis import diagnose  # only now: the processes measured before must start out of a small one

    path = folder / "template.jsonl"
    path.write_text("".join(json.dumps(message) + "\n" for message in _messages(case)), "utf-8")
    diagnose([str(path)])  # imports and the like are not measured

    def cold() -> None:
        _empty_caches()
        diagnose([str(path)])

    return cpu_seconds(cold, runs)


def _empty_caches() -> None:
    """A URI is laid over a template once and remembered; each run must do it again."""
    for name, module in list(sys.modules.items()):
        if name.startswith("diagnosis"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _messages(case: Case) -> Iterator[dict[str, object]]:
    yield {"jsonrpc": "2.0", "id": 1, "method": "resources/templates/list"}
    listed = [{"name": "t", "uriTemplate": template} for template in case.templates]
    yield {"jsonrpc": "2.0", "id": 1, "result": {"resourceTemplates": listed}}
    yield {"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": case.uri}}
    contents = [{"uri": case.uri, "mimeType": "application/json", "text": '{"tenant": "acme", "v0": "a"}'}]
    yield {"jsonrpc": "2.0", "id": 2, "result": {"contents": contents}}
