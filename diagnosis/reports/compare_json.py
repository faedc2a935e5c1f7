"""The comparison for programs; URIs stand as they are in the captures, but for the secrets inside them."""

from __future__ import annotations

from datetime import datetime

from diagnosis.after_fix.again import Again, answer_of
from diagnosis.after_fix.before_after import Status
from diagnosis.after_fix.before_after import Subject as Compared
from diagnosis.after_fix.comparison import Comparison
from diagnosis.diagnosis import Diagnosis
from diagnosis.questions.findings import FindingClass
from diagnosis.questions.judgement import Judgement
from diagnosis.reports import compare_schema as schema
from diagnosis.reports.asked import given
from diagnosis.reports.choices import Redaction
from diagnosis.reports.compare_parts import hidden, rules_of, standing
from diagnosis.reports.json import encoded, masked, variables
from diagnosis.reports.masking import Masking
from diagnosis.reports.schema import Place, Tool
from diagnosis.reports.tally import is_all_read
from diagnosis.reports.version import version


def render(comparison: Comparison, now: datetime | None = None) -> str:
    """Returns the comparison as JSON text, ASCII only, the same for the same captures; `now` is not used."""
    return encoded(shaped(comparison).model_dump(by_alias=True)) + "\n"


def shaped(comparison: Comparison) -> schema.Comparison:
    """Returns the comparison as its documented shape."""
    statements, together = comparison.before.statements, comparison.together
    masking = Masking((*together.before, *together.after), Redaction(people=False))
    return schema.Comparison(
        schema_name="misread-compare/1",
        tool=Tool(name="misread", version=version()),
        opening=comparison.opening,
        notes=list(standing(comparison)),
        before=_side(comparison.before, together.only_before),
        after=_side(comparison.after, together.only_after),
        inputs=schema.Inputs(
            policy=statements.policy_path,
            templates=statements.templates_path,
            stated=[masking.stated(word) for word in statements.stated],
            options={**given(comparison.before.options)},
        ),
        subjects=[_subject(each, masking) for each in comparison.subjects],
        summary=schema.Counts.model_validate({status.value: comparison.count(status) for status in Status}),
    )


def _side(diagnosis: Diagnosis, only: tuple[str, ...]) -> schema.Side:
    return schema.Side(
        captures=[schema.Capture(path=each.path, sha256=each.sha256, reads=each.reads) for each in diagnosis.captures],
        reads=len(diagnosis.judgements),
        all_read=is_all_read(diagnosis),
        only_listed_here=list(only),
    )


def _subject(subject: Compared, masking: Masking) -> schema.Subject:
    shown = subject.shown
    return schema.Subject(
        status=subject.status.value,
        finding_class=subject.kind.value,
        rules=list(rules_of(subject)),
        template=None if shown.template is None else masking.uri(shown.template, shown),
        variables=masked(variables(shown.readings), masking.of(shown)),
        caller=shown.caller.id if shown.caller else None,
        because=hidden(subject, masking.of),
        before=[
            schema.Before(uri=_uri(each, masking), span=_span(each), fingerprints=_fingerprints(each, subject.kind))
            for each in subject.before
        ],
        after=[_after(each, subject, masking) for each in subject.after],
    )


def _after(said: Again, subject: Compared, masking: Masking) -> schema.After:
    judgement = said.judgement
    return schema.After(
        uri=_uri(judgement, masking),
        span=_span(judgement),
        says=said.says.value,
        verdict=answer_of(judgement, subject.kind).verdict.value,
        reason=said.reason,
        because=masking.of(judgement)(said.because),
        fingerprints=_fingerprints(judgement, subject.kind),
    )


def _uri(judgement: Judgement, masking: Masking) -> str | None:
    return None if judgement.read.uri is None else masking.uri(judgement.read.uri, judgement)


def _span(judgement: Judgement) -> Place:
    span = judgement.read.request.span
    return Place(file=span.capture, line=span.line)


def _fingerprints(judgement: Judgement, kind: FindingClass) -> list[str]:
    return [each.fingerprint for each in judgement.findings if each.rule.finding_class is kind]
