"""Which sample trace shows a rule; tests hold this table against the one in sample_traces/README.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.samples import find_sample
from diagnosis.visible import visible

_SHOWN = {
    "unescaped-values": ("segments/extra-separator",),
    "segments-smuggled-parameter": ("segments/smuggled-parameter",),
    "segments-raw-reserved": ("segments/raw-reserved",),
    "segments-illegal-character": ("segments/illegal-character", "remark/stricter-matcher"),
    "segments-form-encoded": ("segments/form-encoded",),
    "segments-unexpanded": ("segments/unexpanded",),
    "decoded-twice": ("document/decoded-twice",),
    "document-echo-decoded-twice": ("document/echo-decoded-twice",),
    "document-decoded-across-segments": ("document/decoded-across-segments",),
    "another-tenant": ("principal/foreign-tenant",),
    "principal-foreign-tenant-by-claim": ("principal/foreign-tenant-by-claim",),
    "remark-changed-on-the-way": ("remark/changed-on-the-way",),
    "remark-policy-differs": ("remark/policy-differs",),
    "remark-template-not-servable": ("remark/template-not-servable",),
    "remarks-callers": ("remark/dead-end", "remark/existence-oracle", "remark/two-principals"),
    "remarks-documents": (
        *("remark/case-changed", "remark/decoded-before-split", "remark/document-mismatch", "remark/double-encode"),
        *("remark/echo-decoded", "remark/echo-senseless", "remark/gateway-prefix", "remark/not-decoded"),
    ),
    "remarks-http": ("remark/header-uri-differs", "remark/public-cache-scope"),
    "remarks-pairing": (
        *("remark/crossed-response", "remark/duplicate-key", "remark/extra-response", "remark/id-reused"),
        *("remark/id-type-changed", "remark/malformed"),
    ),
    "remarks-paths": (
        *("remark/dot-segments-removed", "remark/double-decode-bait", "remark/path-traversal", "remark/tenant-walk"),
    ),
    "remarks-templates": (
        *("remark/also-explained", "remark/empty-parameter", "remark/late-template", "remark/lenient-encoder"),
        *("remark/undeclared-parameter", "remark/unexpanded-template"),
    ),
}

EXAMPLES = {rule: sample for sample, rules in _SHOWN.items() for rule in rules}


def example(rule: str) -> str:
    """The sample trace that shows a rule, and its clean twin, line by line as they stand.

    Raises:
        KeyError: no sample shows the rule.
    """
    name = EXAMPLES[rule]
    return "\n".join((*_lines(name, f"shows {rule}"), "", *_lines(f"{name}-clean", "its clean twin"), ""))


def _lines(name: str, what: str) -> Iterator[str]:
    sample = find_sample(name)
    beside = [Path(path).name for path in (sample.policy, sample.templates) if path is not None]
    read_with = f", read with {' and '.join(beside)}" if beside else ""
    paths = [Path(path) for path in sample.captures]
    title = name if sample.same_traffic else paths[0].name
    yield f"{title}: {what}{read_with} (misread report --sample {name})"
    for path in paths:
        yield ""
        if sample.same_traffic:
            yield f"{path.name}:"
        text = path.read_text(encoding="utf-8")
        yield from (visible(line) for line in text.removesuffix("\n").split("\n"))
