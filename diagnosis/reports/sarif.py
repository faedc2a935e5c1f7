"""The findings and remarks as a SARIF 2.1.0 log, for code scanning and result management systems.

OASIS SARIF 2.1.0 with errata 01. Nothing in it depends on the time or the machine: the same diagnosis gives the same
bytes. Its sections are named in the comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import Evidence, Finding, Remark, Rule, Severity
from diagnosis.questions.judgement import Judgement
from diagnosis.questions.rules import RULES
from diagnosis.reports.choices import DEFAULT, Choices, Reviews
from diagnosis.reports.grouping import caller_of
from diagnosis.reports.json import encoded
from diagnosis.reports.masking import Masking
from diagnosis.reports.reviewed import DISAGREE, Ruling, review_of, rulings
from diagnosis.reports.sarif_parts import Json, artifact_location, message, region
from diagnosis.reports.sarif_run import artifacts, invocation, notification_descriptors
from diagnosis.reports.tally import remarks_of
from diagnosis.reports.version import version
from diagnosis.visible import visible

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.SEVERE: "error", Severity.MILD: "warning"}


def render(diagnosis: Diagnosis, now: datetime | None = None, choices: Choices = DEFAULT) -> str:
    """Returns the log as JSON text, ASCII only; `now` is not used, since a date would change every rerun."""
    judgements = diagnosis.shown()
    masking = Masking(judgements, choices.redaction)
    rules = _rules(judgements)
    results = list(_results(diagnosis, judgements, rules, masking, choices.reviews))
    run: Json = {
        "tool": {
            "driver": {
                "name": "misread",
                "version": version(),
                "rules": [_descriptor(rule) for rule in rules],
                "notifications": notification_descriptors(),
            }
        },
        # Before the slash stands the category that systems keep runs apart by; a run has no name of its own.
        "automationDetails": {"id": "misread/"},
        "artifacts": artifacts(diagnosis),
        "results": results,
        "invocations": [invocation(diagnosis, judgements, masking)],
    }
    if masking.labels.given():
        run["redactionTokens"] = masking.labels.given()  # 3.14.28
    return encoded({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _rules(judgements: Sequence[Judgement]) -> tuple[Rule, ...]:
    """Every rule of the program, for a rule that found nothing is worth knowing too, and any other that was used."""
    found = {rule.id: rule for rule in RULES}
    for judgement in judgements:
        found |= {each.rule.id: each.rule for each in judgement.findings}
        found |= {each.rule.id: each.rule for each in remarks_of(judgement)}
    return tuple(found.values())


def _descriptor(rule: Rule) -> Json:
    """3.49: a rule with its help in plain text; there is no page on the network to point at."""
    sentences = (
        rule.why,
        f"Fix: {rule.fix}" if rule.fix else "",
        f"What it is not: {rule.not_this}" if rule.not_this else "",
    )
    kind = rule.finding_class.value if rule.finding_class else "remark"
    return {
        "id": rule.id,
        "shortDescription": message(rule.title),
        "fullDescription": message(rule.why or rule.title),
        "help": message("\n\n".join(sentence for sentence in sentences if sentence) or rule.title),
        "defaultConfiguration": {"level": _level(rule)},
        "properties": {
            "class": kind,
            "severity": rule.severity.value,
            **({"owner": rule.owner.value} if rule.owner else {}),
            "tags": ["mcp", kind],
        },
    }


def _level(rule: Rule) -> str:
    return _LEVELS[rule.severity] if rule.finding_class is not None else "note"


def _results(
    diagnosis: Diagnosis, judgements: Sequence[Judgement], rules: Sequence[Rule], masking: Masking, reviews: Reviews
) -> Iterator[Json]:
    """Read by read in log order: the findings, then the remarks."""
    numbers = {rule.id: number for number, rule in enumerate(rules)}
    captures = {facts.path: number for number, facts in enumerate(diagnosis.captures)}
    for judgement in judgements:
        for finding in judgement.findings:
            result = _result(judgement, finding, numbers, captures, masking)
            yield {**result, **_identity(finding), **_suppressed(finding, masking, reviews)}
        for remark in remarks_of(judgement):
            yield _result(judgement, remark, numbers, captures, masking)


def _result(
    judgement: Judgement,
    found: Finding | Remark,
    numbers: dict[str, int],
    captures: dict[str, int],
    masking: Masking,
) -> Json:
    """3.27: the primary evidence is the location, all other evidence is related."""
    mask = masking.of(judgement)
    evidence = found.evidence or (Evidence(judgement.read.request, "the request"),)
    primary, *others = (_location(one, captures, masking, judgement) for one in evidence)
    result: Json = {
        "ruleId": found.rule.id,
        "ruleIndex": numbers[found.rule.id],
        "level": _level(found.rule),
        "message": message(mask(found.summary)),
        "locations": [primary],
        "properties": _properties(judgement, found, masking),
    }
    if others:
        result["relatedLocations"] = [{"id": number, **one} for number, one in enumerate(others, 1)]
    return result


def _location(one: Evidence, captures: dict[str, int], masking: Masking, judgement: Judgement) -> Json:
    """3.28: the record in the capture, the path inside it, and what is to be seen there."""
    span, mask = one.seen.span, masking.of(judgement)
    location: Json = {
        "physicalLocation": {
            "artifactLocation": artifact_location(span.capture, captures.get(span.capture)),
            "region": region(span),
        },
        "message": message(mask(one.what) or "evidence"),
        "properties": {"sha256": one.seen.sha256},
    }
    if span.layers:
        location["logicalLocations"] = [{"fullyQualifiedName": visible(mask(" / ".join(span.layers)))}]
    return location


def _properties(judgement: Judgement, found: Finding | Remark, masking: Masking) -> Json:
    mask = masking.of(judgement)
    caller, is_session = caller_of(judgement)
    rule = found.rule
    return {
        "class": rule.finding_class.value if rule.finding_class else "remark",
        **({"owner": rule.owner.value} if rule.owner else {}),
        "severity": found.severity.value if isinstance(found, Remark) else rule.severity.value,
        "certainty": found.certainty.value,
        **({"subject": visible(mask(found.subject))} if isinstance(found, Finding) else {}),
        "caller": visible(masking.caller(caller, is_session=is_session)),
        **({"tenant": visible(masking.tenant(judgement.tenants[-1]))} if judgement.tenants else {}),
        **({"uri": visible(masking.uri(judgement.read.uri, judgement))} if judgement.read.uri is not None else {}),
        **({"template": visible(masking.uri(judgement.template, judgement))} if judgement.template else {}),
        "questions": {
            answer.question.value: {"verdict": answer.verdict.value, "reason": visible(answer.reason)}
            for answer in judgement.answers
        },
    }


def _identity(finding: Finding) -> Json:
    """3.27.17: the fingerprint holds no path and no line, so it survives copying and growing a log."""
    return {"partialFingerprints": {"misread/v1": finding.fingerprint}} if finding.fingerprint else {}


def _suppressed(finding: Finding, masking: Masking, reviews: Reviews) -> Json:
    """3.35: what reviewers decided outside of the log; an open finding says nothing of suppression."""
    review = review_of(finding.fingerprint, reviews)
    if review is None or (review.state == "new" and not review.contradicted):
        return {}
    if review.contradicted:
        status, why = "underReview", f"{DISAGREE}: {'; '.join(map(_ruling, rulings(review)))}"
    else:
        status = "accepted" if review.suppresses else "underReview" if review.state == "dismissed" else "rejected"
        why = review.reason
    suppression: Json = {"kind": "external", "status": status}
    if why:
        suppression["justification"] = visible(masking.typed(why))
    return {"suppressions": [suppression]}


def _ruling(ruling: Ruling) -> str:
    return f"{ruling.word} by {ruling.author}" + (f", because: {ruling.reason}" if ruling.reason else "")
