"""Remarks on what known SDK servers would do with a template or a URI: data that explains and never decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from diagnosis.questions.facts import Facts
from diagnosis.questions.findings import Certainty, Evidence, Remark
from diagnosis.questions.refusals import is_refusal
from diagnosis.questions.remark_parts import remark_rule
from diagnosis.reads.read import Outcome
from diagnosis.uris.reading import Fit
from diagnosis.uris.stacks import Guess, Refusal, cannot_serve, guess, refusals
from diagnosis.wording import listing, quoted

TEMPLATE_NOT_SERVABLE = remark_rule(
    "template-not-servable",
    "A known SDK refuses the template",
    "Some servers' parsers refuse templates that RFC 6570 allows: variables with nothing between them, two variables "
    "of many segments, a name used twice, a prefix, an exploded query variable, a name with a hyphen.",
    "Put a literal between variables, use one variable of many segments at most, and leave prefixes out.",
    "It does not say that this server is one of them: which SDK it runs is a guess at best.",
)
STRICTER_MATCHER = remark_rule(
    "stricter-matcher",
    "A known SDK server would not match this URI",
    "The URI fits its template, the read was answered with an error, and the matchers of some SDK servers are known to "
    "be stricter than RFC 6570, for example with a raw comma, an empty value or query parameters out of order.",
    "Try the same read with the character encoded, the value filled in, or every query parameter in order.",
    "It explains an error and decides no verdict: the document may as well be absent, or refused by design.",
)

RULES = (TEMPLATE_NOT_SERVABLE, STRICTER_MATCHER)


def template_not_servable(facts: Facts) -> Remark | None:
    """The template by which the URI reads, where a known parser refuses it."""
    reading, guessed = facts.reading, guessed_stack(facts)
    text = reading.template or next(iter(reading.unreadable), None)
    if text is None:
        return None
    refused = cannot_serve(reading.alignments[0].template if reading.alignments else text)
    if any(each.shape == "explode elsewhere" for each in refused):
        return None  # `{path*}` is FastMCP's way to write many segments, and no parser but FastMCP's is meant
    found = _of(refused, guessed)
    if not found:
        return None
    served = facts.read.outcome is Outcome.RESULT
    certainty = Certainty.LIKELY if guessed is not None and not served else Certainty.POSSIBLE
    summary = f"Of the template {quoted(text)}: {_sentences(found, guessed)}"
    evidence = (Evidence(facts.read.request, "the request"),)
    return Remark(TEMPLATE_NOT_SERVABLE, certainty, summary, evidence, TEMPLATE_NOT_SERVABLE.severity)


def stricter_matcher(facts: Facts) -> Remark | None:
    """An error for a URI that fits its template, where known SDK servers would not match the two."""
    response, guessed = facts.read.response, guessed_stack(facts)
    if response is None or response.outcome is not Outcome.ERROR or is_refusal(response, facts.uri, facts.values):
        return None
    found = _of(stricter(facts), guessed)
    if not found:
        return None
    certainty = Certainty.LIKELY if guessed is not None else Certainty.POSSIBLE
    evidence = (Evidence(facts.read.request, "the request"), Evidence(response.seen, "the error"))
    return Remark(STRICTER_MATCHER, certainty, _sentences(found, guessed), evidence, STRICTER_MATCHER.severity)


def stricter(facts: Facts) -> tuple[Refusal, ...]:
    """The stacks that would not match the URI in any of its readings; none where it leaves its segments."""
    reading = facts.reading
    if reading.listed or reading.fit is None or reading.fit is Fit.ESCAPED or reading.exhausted:
        return ()
    first, *others = (refusals(facts.uri, each) for each in reading.alignments)
    for other in others:
        names = {each.stack.name for each in other}
        first = tuple(each for each in first if each.stack.name in names)
    return first


def guessed_stack(facts: Facts) -> Guess | None:
    """The SDK that the log seems to show, by the error's wording or the server's name."""
    failure = facts.read.response.failure if facts.read.response else None
    code, message = (failure.code, failure.message) if failure else (None, "")
    return guess(facts.read.server, code, message)


def _of(found: Sequence[Refusal], guessed: Guess | None) -> tuple[Refusal, ...]:
    """What counts: where the SDK can be guessed, the others say nothing about this server."""
    return tuple(each for each in found if guessed is None or each.stack.name == guessed.stack.name)


def _sentences(found: Sequence[Refusal], guessed: Guess | None) -> str:
    """The stacks that object in the same words share a sentence."""
    by_words: defaultdict[str, list[str]] = defaultdict(list)
    for each in found:
        by_words[each.what].append(each.stack.name)
    said = " ".join(f"{listing(names)} {what}." for what, names in by_words.items())
    if guessed is None:
        return f"{said} Which SDK this server runs is not known."
    return f"{said} That the server runs it is {guessed.because}."
