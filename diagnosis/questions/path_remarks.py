"""Remarks on values that are unsafe as paths; the screen of the MCP Python SDK, on every layer of decoding."""

from __future__ import annotations

from diagnosis.callers.tenants import path_segment
from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Certainty, Evidence, Remark, Rule, Severity
from diagnosis.reads.read import Outcome
from diagnosis.uris.alignment import align
from diagnosis.uris.path_safety import Danger, Layers, Screened, resolve_uri_dots, screen_layers
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Binding
from diagnosis.wording import quoted

_FIX = "Decode once, then join the value to the served root with `safe_join` or its like; exempt only what is no path."

PATH_TRAVERSAL = Rule(
    id="remark/path-traversal",
    title="A value is unsafe as a path",
    severity=Severity.SEVERE,
    why="Decoded once, the value climbs out with `..`, is absolute, names a drive, or holds a NUL; `{+path}` passes "
    "separators through, and refusing such values is the server's duty.",
    fix=_FIX,
    not_this="Containment on disk (symbolic links, the served root) cannot be seen on the wire, and a reference that "
    "the handler never opens as a file looks the same.",
)
DOUBLE_DECODE_BAIT = Rule(
    id="remark/double-decode-bait",
    title="A value becomes unsafe only under a second decode",
    severity=Severity.MILD,
    why="`..%252F` passes a path screen after one decode and climbs out after two: the usual probe for a server "
    "that decodes twice. It is shown even when the read was refused.",
    fix=_FIX,
    not_this="It does not say that the server decoded twice.",
)
TENANT_WALK = Rule(
    id="remark/tenant-walk",
    title="Resolving dot segments changes the tenant",
    severity=Severity.SEVERE,
    why="The path never leaves the root, and still its tenant's segment differs before and after dot segments are "
    "resolved: a check on the text and storage see two tenants.",
    fix="Resolve dot segments first and check the tenant of the result; better, refuse `..` in values.",
    not_this="It is no escape of segments: the operator lets separators through.",
)

RULES = (PATH_TRAVERSAL, DOUBLE_DECODE_BAIT, TENANT_WALK)

_WORDS = {
    Danger.NUL: "holds a NUL",
    Danger.TRAVERSAL: "climbs out with `..`",
    Danger.ABSOLUTE: "is an absolute path",
    Danger.DRIVE: "begins with a letter and a colon: a drive-relative path or a namespaced id, the same string",
}
_LAYERS = 3  # as sent, decoded once, decoded twice
_CERTAINTY = {
    Danger.NUL: Certainty.CERTAIN,
    Danger.TRAVERSAL: Certainty.CERTAIN,
    Danger.ABSOLUTE: Certainty.LIKELY,
    Danger.DRIVE: Certainty.POSSIBLE,
}


def path_traversal(facts: Facts) -> Remark | None:
    """The worst value that a path screen refuses after one decode, or would refuse after two."""
    found = [
        remark
        for binding in facts.bindings.values()
        for raw in _raws(binding)
        if (remark := _look(facts, binding, raw))
    ]
    return min(found, key=_rank, default=None)


def _raws(binding: Binding) -> tuple[str, ...]:
    return (binding.raw,) if binding.items is None else binding.items


def _look(facts: Facts, binding: Binding, raw: str) -> Remark | None:
    layers = screen_layers(raw)
    if layers.once is not None:
        return _unsafe(facts, binding, layers.once)
    return _bait(facts, binding, layers) if layers.bait else None


def _rank(remark: Remark) -> tuple[bool, int, bool]:
    """Severe before mild, certain before possible, and an unsafe value before a bait."""
    return (
        remark.severity is not Severity.SEVERE,
        tuple(Certainty).index(remark.certainty),
        remark.rule is DOUBLE_DECODE_BAIT,
    )


def _unsafe(facts: Facts, binding: Binding, found: Screened) -> Remark:
    summary = f"{quoted(binding.name)} {_WORDS[found.danger]}: {quoted(found.value)}."
    succeeded = facts.read.outcome is Outcome.RESULT
    exempt = binding.name in facts.policy.not_paths.get(facts.reading.template or "", ())
    grave = succeeded and not exempt and found.danger in (Danger.NUL, Danger.TRAVERSAL)
    if exempt:
        summary += " Exempt by policy: the variable is no path."
    elif facts.read.outcome is Outcome.ERROR:
        summary += " The read was refused, which is consistent with a path screen."
    certainty = _CERTAINTY[found.danger] if succeeded else Certainty.POSSIBLE
    severity = Severity.SEVERE if grave else Severity.MILD
    return Remark(PATH_TRAVERSAL, certainty, summary, (Evidence(facts.read.request, "the request"),), severity)


def _bait(facts: Facts, binding: Binding, layers: Layers) -> Remark | None:
    assert layers.twice is not None
    summary = f"Decoded twice, {quoted(binding.name)} {_WORDS[layers.twice.danger]}: {quoted(layers.twice.value)}."
    return Remark(
        DOUBLE_DECODE_BAIT,
        Certainty.CERTAIN,
        summary,
        (Evidence(facts.read.request, "the request"),),
        DOUBLE_DECODE_BAIT.severity,
    )


def tenant_walk(facts: Facts) -> Remark | None:
    """A tenant that differs before and after resolving dot segments, on any layer of decoding."""
    place = facts.policy.tenant_of.get(facts.reading.template or "")
    if place is not None and place.segment is not None:
        return _walk_in_path(facts, facts.bindings.get(place.variable or ""), place.segment)
    variable = facts.tenant.variable
    return _walk_in_uri(facts, variable) if variable is not None and variable in facts.bindings else None


def _walk_in_path(facts: Facts, binding: Binding | None, number: int) -> Remark | None:
    if binding is None or binding.items is not None:
        return None
    text = binding.raw
    for _ in range(_LAYERS):
        segments = [segment for segment in text.split("/") if segment]
        before = segments[number - 1] if len(segments) >= number else None
        after = path_segment(text, number)
        if before != after and before not in (".", ".."):
            return _walk(facts, before, after)
        text = decode(text)
    return None


def _walk_in_uri(facts: Facts, variable: str) -> Remark | None:
    """The same for a tenant that is a variable of its own: dots in a later value may lead out of it."""
    text, before = facts.uri, decode(facts.bindings[variable].raw)
    for _ in range(_LAYERS):
        resolved = resolve_uri_dots(text)
        if resolved != text:
            found = align(resolved, facts.reading.alignments[0].template)
            spans = (
                {each.raw for one in found.found for each in one.bindings if each.name == variable} if found else set()
            )
            if len(spans) == 1 and (after := decode(spans.pop())) != before:
                return _walk(facts, before, after)
        text = decode(text)
    return None


def _walk(facts: Facts, before: str | None, after: str | None) -> Remark:
    summary = f"The path names {quoted(before or '')} and resolves to {quoted(after or 'nothing')}."
    evidence = (Evidence(facts.read.request, "the request"),)
    return Remark(TENANT_WALK, Certainty.CERTAIN, summary, evidence, TENANT_WALK.severity)
