"""Who asked, how that is known, and what the log says around the read."""

from __future__ import annotations

from collections.abc import Iterable

from app.widgets.text_lines import Paragraph, TextLines, paragraph
from diagnosis.callers.principals import Principal, PrincipalSource
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Read

_LABEL = 12


class Facts(TextLines):
    """The facts of one read, a label and a value on each line."""

    def show_judgement(self, judgement: Judgement) -> None:
        """Shows the facts of one read."""
        rows = [*_caller(judgement.caller), *_tenants(judgement), *_read(judgement.read)]
        self.show([_fact(label, value) for label, value in rows])


def _fact(label: str, value: str) -> Paragraph:
    return paragraph((f" {label:<{_LABEL}} ", "dim"), value, indent=_LABEL + 2)


def _caller(caller: Principal | None) -> Iterable[tuple[str, str]]:
    if caller is None:
        yield "principal", "unknown: neither the log nor a policy says who asked"
        return
    yield "principal", caller.id
    yield "known from", caller.how
    if caller.source in (PrincipalSource.CLAIMS, PrincipalSource.TOKEN):
        yield "", "unverified: nothing checks a token's signature here"
    yield "may see", _names(caller.allowed_tenants, "unknown", "nothing but shared tenants")
    if caller.shared_tenants:
        yield "shared", ", ".join(caller.shared_tenants)
    if caller.admin:
        yield "", "administrator: may see every tenant"
    if caller.elevated:
        yield "elevated by", caller.elevated
    if caller.tenant_claim:
        yield "claim", caller.tenant_claim
    if caller.subject and caller.subject != caller.id:
        yield "subject", caller.subject


def _tenants(judgement: Judgement) -> Iterable[tuple[str, str]]:
    yield "tenants", _names(judgement.tenants, "none known", "none known")
    if judgement.tenant_variable:
        yield "tenant is", f"variable {judgement.tenant_variable} of {judgement.template}"


def _read(read: Read) -> Iterable[tuple[str, str]]:
    yield "session", read.session or "the capture has none"
    yield "request id", repr(read.request_id)
    yield "capture", f"{read.capture}, line {read.request.span.line}"
    if read.response is not None:
        yield "answer", f"line {read.response.seen.span.line}"
    elif read.no_answer is not None:
        yield "answer", f"none: {read.no_answer}"
    if read.time:
        yield "time", f"{read.time} ({read.time_basis})"
    if read.server:
        yield "server", read.server
    if read.channel:
        yield "channel", read.channel
    if read.response is not None and read.response.http_status is not None:
        yield "HTTP status", str(read.response.http_status)
    for label, values in (("doubts", read.doubts), ("lost", read.losses), ("notes", read.notes)):
        if values:
            yield label, ", ".join(values)


def _names(names: tuple[str, ...] | None, unknown: str, none: str) -> str:
    if names is None:
        return unknown
    return ", ".join(names) or none
