"""What one read cannot know alone, once policy and templates are given: one pass over all reads before judging."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from diagnosis.callers.policy import TenantPlace
from diagnosis.callers.principals import Callers, Principal
from diagnosis.callers.tenants import Tenant, find_tenant, plain_name, related_values, tenant_variables
from diagnosis.questions.contrast import ServedReads
from diagnosis.questions.facts import Facts, Partner, Reading, document_fields, other_fields, single_values
from diagnosis.questions.fields import Stated, compare
from diagnosis.questions.readings import Readings
from diagnosis.questions.refusals import Signature, signature
from diagnosis.reads.context import Context
from diagnosis.reads.read import Outcome, Read, Response
from diagnosis.redaction_marks import is_redaction
from diagnosis.statements import Statements
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Alignment, Binding, Fit

OVERLAP = 2  # reads in which a variable must meet its caller's tenants before it counts as the tenant


@dataclass(frozen=True, slots=True)
class _Surveyed:
    read: Read
    reading: Reading
    caller: Principal | None
    bindings: Mapping[str, Binding]
    values: Mapping[str, str]


class Survey:
    """Collects, over all reads, what the judgement of each needs of the others.

    `add` takes reads in any number of batches; facts only accumulate, so that a later read may decide a
    `cannot_tell` or add a finding and never the reverse.
    """

    def __init__(self, context: Context, statements: Statements) -> None:
        self._context = context
        self._statements = statements
        self._callers = Callers(statements.policy)
        self._readings = Readings(context, statements.templates)
        self._surveyed: dict[int, _Surveyed] = {}
        self._overlaps: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        self._learnt: dict[str, str] = {}
        self._tenant_reads: defaultdict[str, set[int]] = defaultdict(set)
        self._served = ServedReads()
        self._stated_tenants = frozenset(
            tenant for each in statements.policy.principals for tenant in each.allowed_tenants or ()
        ) | frozenset(statements.policy.shared_tenants)
        self._own_errors: defaultdict[tuple[str, str | None], set[Signature]] = defaultdict(set)

    def add(self, reads: Iterable[Read]) -> None:
        """Takes reads, new ones or ones whose answer has come since."""
        changed = [self._look(read) for read in reads]
        for surveyed in changed:
            self._count_overlaps(surveyed)
        for surveyed in changed:
            self._count_tenants(surveyed)

    def facts(self, read: Read, further: Response | None = None) -> Facts:
        """Everything the questions may look at for one read, which must have been added.

        With a `further` response the read is looked at as if that one had answered it.
        """
        surveyed = self._surveyed[read.number]
        if further is not None:
            read = replace(read, response=further, extra=())
            surveyed = replace(surveyed, read=read)
        reading, caller = surveyed.reading, surveyed.caller
        tenant = self._tenant(surveyed)
        return Facts(
            read=read,
            policy=self._statements.policy,
            reading=reading,
            caller=caller,
            tenant=tenant,
            bindings=surveyed.bindings,
            partners=tuple(self._partner(number) for number in read.beside if number in self._surveyed),
            comparable=self._is_comparable(read, caller),
            served_to=self._served_to(read, caller),
            tenant_differs=tenant.judged is None and self._differs_by_reading(surveyed),
            tells_apart=self._tells_apart(surveyed, tenant),
            typed=self._context.typed_before(read, reading.template) if reading.template else (),
        )

    def _look(self, read: Read) -> _Surveyed:
        reading = self._readings.of(read)
        bindings = reading.bindings()
        surveyed = _Surveyed(read, reading, self._callers.of(read), bindings, single_values(bindings))
        self._surveyed[read.number] = surveyed
        return surveyed

    # Tenants

    def __contains__(self, name: object) -> bool:
        """Whether another read's URI or document, or the policy, shows the name to be a tenant's."""
        return name in self._stated_tenants or name in self._tenant_reads

    def _count_overlaps(self, surveyed: _Surveyed) -> None:
        caller, template = surveyed.caller, surveyed.reading.template
        if caller is None or template is None or not caller.allowed_tenants:
            return
        for name, value in surveyed.values.items():
            if value in caller.allowed_tenants:
                numbers = self._overlaps[template, name]
                if len(numbers) < OVERLAP:
                    numbers.add(surveyed.read.number)
                    if len(numbers) == OVERLAP:
                        self._learnt.setdefault(template, name)

    def _learned(self, template: str | None, names: Sequence[str]) -> tuple[str, ...]:
        if template is None:
            return ()
        name = self._learnt.get(template)  # the first one learnt stays it: an ambiguity found later undoes nothing
        return (name,) if name is not None and name in names else ()

    def _tenant(self, surveyed: _Surveyed) -> Tenant:
        """The tenant of a read; where its URI reads in several ways, they must agree on it."""
        found = self._tenant_of(surveyed, surveyed.values)
        alignments = surveyed.reading.alignments
        if found.requested is not None or len(alignments) < 2 or surveyed.reading.fit is Fit.ESCAPED:
            return found
        each = {self._tenant_of(surveyed, _values_of(alignment)) for alignment in alignments}
        return each.pop() if len(each) == 1 else found

    def _tenant_of(self, surveyed: _Surveyed, values: Mapping[str, str]) -> Tenant:
        policy, template = self._statements.policy, surveyed.reading.template
        names: tuple[str, ...] = ()
        if template is not None:
            if template in policy.tenant_of and policy.tenant_of[template] is None:
                return Tenant(why_not="no-tenant")
            names = surveyed.reading.alignments[0].template.variables
        variables = tenant_variables(names, policy, self._learned(template, names))
        place = policy.tenant_of.get(template) if template is not None else None
        found = find_tenant(place, variables, values, document_fields(surveyed.read), policy)
        found = _unless_doubled(surveyed, self._as_requested(surveyed, found))
        beside = self._beside(surveyed, place, variables, found)
        return replace(found, beside=beside) if beside else found

    def _beside(
        self, surveyed: _Surveyed, place: TenantPlace | None, variables: tuple[str, ...], found: Tenant
    ) -> tuple[str, ...]:
        """Further tenants of the same answer: of its other documents, and of fields known to hold a tenant too."""
        policy, own = self._statements.policy, document_fields(surveyed.read)
        others = [find_tenant(place, variables, {}, each, policy).received for each in other_fields(surveyed.read)]
        others += [tenant for tenant in related_values(found.variable, own) if tenant in self]
        named = (tenant for tenant in others if tenant is not None and not is_redaction(tenant))
        return tuple(dict.fromkeys(tenant for tenant in named if tenant not in (found.received, found.requested)))

    def _as_requested(self, surveyed: _Surveyed, found: Tenant) -> Tenant:
        """A document that states the requested tenant undecoded, or as a number, is that tenant's."""
        binding = surveyed.bindings.get(found.variable) if found.variable else None
        if binding is None or found.requested is None or found.received is None or binding.items is not None:
            return found
        value = document_fields(surveyed.read).get(found.field or "")
        stated = Stated.SILENT if value is None else compare(binding, value)
        if stated not in (Stated.RAW, Stated.CONVERTED):
            return found
        # `007` and 7 are one tenant to a server that converts: the policy may have it in either spelling.
        caller = surveyed.caller
        if stated is Stated.CONVERTED and caller is not None and not caller.may_see(found.requested):
            return found if caller.may_see(found.received) else replace(found, received=found.requested)
        return replace(found, received=found.requested)

    def _differs_by_reading(self, surveyed: _Surveyed) -> bool:
        """Whether the readings of the URI name different tenants, so that none can be judged."""
        alignments = surveyed.reading.alignments
        if len(alignments) < 2:
            return False
        asked = {self._tenant_of(surveyed, _values_of(alignment)).requested for alignment in alignments}
        return len(asked) > 1

    def _count_tenants(self, surveyed: _Surveyed) -> None:
        read = surveyed.read
        tenant = self._tenant(surveyed)
        for name in {tenant.requested, tenant.received} - {None}:
            numbers = self._tenant_reads[str(name)]
            if len(numbers) < 2:  # two reads suffice to find one that is not this one
                numbers.add(read.number)
        if surveyed.caller is not None:
            self._served.add(read, surveyed.caller.id)
        own = self._error_for(surveyed, tenant, inside=True)
        if own is not None and surveyed.caller is not None:
            self._own_errors[surveyed.caller.id, surveyed.reading.template].add(own)

    # What other reads say

    def _is_comparable(self, read: Read, caller: Principal | None) -> bool:
        """Whether a tenant that the caller claims is spelled like a tenant of another read."""
        if caller is None or not caller.allowed_tenants:
            return False
        return any(self._tenant_reads.get(each, set()) - {read.number} for each in caller.allowed_tenants)

    def _served_to(self, read: Read, caller: Principal | None) -> str | None:
        """Another known caller who was served the same URI in this capture, close by."""
        return self._served.near(read, caller.id) if caller is not None and read.outcome is Outcome.ERROR else None

    def _error_for(self, surveyed: _Surveyed, tenant: Tenant, inside: bool) -> Signature | None:
        """The error a known caller got for a tenant inside (or outside) what it may see; None for any other read."""
        caller, response = surveyed.caller, surveyed.read.response
        if caller is None or not caller.by_person or caller.allowed_tenants is None or tenant.requested is None:
            return None
        if response is None or response.failure is None or caller.may_see(tenant.requested) is not inside:
            return None
        if surveyed.reading.fit not in (Fit.STRICT, Fit.TOLERATED):
            return None  # a URI that no template takes is refused before anybody looks for a document
        return signature(response.failure, (surveyed.read.uri or "", *surveyed.values.values()))

    def _tells_apart(self, surveyed: _Surveyed, tenant: Tenant) -> bool:
        """Whether this error for a foreign tenant differs from all that the caller got for its own tenants."""
        foreign = self._error_for(surveyed, tenant, inside=False)
        if foreign is None or surveyed.caller is None:
            return False
        own = self._own_errors.get((surveyed.caller.id, surveyed.reading.template), set())
        return bool(own) and foreign not in own

    def _partner(self, number: int) -> Partner:
        other = self._surveyed[number]
        return Partner(other.read, other.bindings, other.reading.alignments)


def _values_of(alignment: Alignment) -> dict[str, str]:
    return single_values({each.name: each for each in alignment.bindings})


def _unless_doubled(surveyed: _Surveyed, found: Tenant) -> Tenant:
    """Of two parameters with the tenant's name servers may read either, so that the first one names nobody for sure."""
    if found.variable is None or found.received is not None or found.why_not:
        return found
    name = plain_name(found.variable)
    brought = (each for alignment in surveyed.reading.alignments for each in alignment.undeclared)
    doubled = any(plain_name(decode(each.name)) == name and decode(each.value) != found.requested for each in brought)
    return replace(found, why_not="ambiguous-tenant") if doubled else found
