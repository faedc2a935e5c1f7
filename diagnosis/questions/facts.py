"""What the three questions share about one read: how its URI reads, who asked, whose document it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from diagnosis.callers.policy import Policy
from diagnosis.callers.principals import Principal
from diagnosis.callers.tenants import Tenant
from diagnosis.reads.context import TypedValues
from diagnosis.reads.read import Content, FieldValue, Read
from diagnosis.uris.percent import children, decode
from diagnosis.uris.reading import Alignment, Binding, Fit


@dataclass(frozen=True, slots=True)
class Reading:
    """How a URI reads against the templates that are known for it.

    `alignments` are those at the best fit, of the most literal template first; `also` are templates that explain
    the URI less well. `known` counts the templates that were tried. `listed` says that the exact URI was in
    `resources/list`, `shown` that it was so in the read's own conversation. `late` names a template that explains
    the URI but was listed only after the read.
    `typed` are values that a person typed, where they decided between several alignments.
    `departure` is the place (template, offset) where the URI leaves the template that shares its beginning.
    `unreadable` are known texts that are no template and begin as the URI does, where no template explains it.
    """

    alignments: tuple[Alignment, ...] = ()
    also: tuple[str, ...] = ()
    known: int = 0
    listed: bool = False
    shown: bool = False
    late: Alignment | None = None
    departure: tuple[str, int] | None = None
    unreadable: tuple[str, ...] = ()
    capped: bool = False
    exhausted: bool = False
    typed: TypedValues | None = None

    @property
    def fit(self) -> Fit | None:
        """The best fit, None where no known template explains the URI."""
        return self.alignments[0].fit if self.alignments else None

    @property
    def template(self) -> str | None:
        """The text of the template that explains the URI best."""
        return self.alignments[0].template.text if self.alignments else None

    def bindings(self) -> Mapping[str, Binding]:
        """The variables that every alignment binds alike.

        An escape with several alignments binds nothing: how the server split the URI cannot be recovered.
        """
        if not self.alignments or (self.fit is Fit.ESCAPED and len(self.alignments) > 1) or self.exhausted:
            return {}
        first, *others = ({each.name: each for each in a.bindings} for a in self.alignments)
        return {n: b for n, b in first.items() if all(n in o and o[n].raw == b.raw for o in others)}


@dataclass(frozen=True, slots=True)
class Partner:
    """Another read that was open at the same time, with what its answer would look like."""

    read: Read
    bindings: Mapping[str, Binding]
    alignments: tuple[Alignment, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything a question may look at.

    `bindings` are the variables that all readings bind alike. `partners` are reads whose answer this could be.
    `comparable` says that the caller's claimed tenants are spelled like tenants of other reads. `served_to` names
    another known caller who was served the same URI close by. `tenant_differs` says that the readings of the URI do not
    agree on the tenant. `tells_apart` says that this error differs from those that the same caller gets for absent
    documents of its own tenants. `typed` are values that a person typed for the template before the read.
    """

    read: Read
    policy: Policy
    reading: Reading
    caller: Principal | None = None
    tenant: Tenant = field(default_factory=Tenant)
    bindings: Mapping[str, Binding] = field(default_factory=dict)
    partners: tuple[Partner, ...] = ()
    comparable: bool = False
    served_to: str | None = None
    tenant_differs: bool = False
    tells_apart: bool = False
    typed: tuple[TypedValues, ...] = ()

    @property
    def uri(self) -> str:
        """The request's URI, "" where it has none."""
        return self.read.uri or ""

    @property
    def values(self) -> tuple[str, ...]:
        """The values that the URI asks for, decoded once."""
        return tuple(single_values(self.bindings).values())

    @property
    def policy_names_callers(self) -> bool:
        """Whether a policy was given that says who the callers are."""
        return bool(self.policy.principals)


def single_values(bindings: Mapping[str, Binding]) -> dict[str, str]:
    """The bound variables that hold one whole value, decoded once; a prefix such as `{v:3}` hides the rest."""
    whole = ((name, each) for name, each in bindings.items() if each.items is None and each.prefix is None)
    return {name: decode(each.raw) for name, each in whole}


def subject_contents(read: Read) -> tuple[Content, ...]:
    """The contents that speak for the requested URI itself: those that echo it, else all but its children.

    One read may return several items, children and other media types among them (MCP 2026-07-28).
    """
    if read.response is None:
        return ()
    own = tuple(each for each in read.response.contents if each.uri == read.uri)
    return own or tuple(each for each in read.response.contents if not _is_child(read, each))


def _is_child(read: Read, content: Content) -> bool:
    return read.uri is not None and content.uri is not None and children(read.uri, content.uri)


def document_fields(read: Read) -> Mapping[str, FieldValue]:
    """The identity fields of the returned document; the first of several items that names any."""
    for content in subject_contents(read):
        if content.document.fields:
            return dict(content.document.fields)
    return {}


def other_fields(read: Read, contents: tuple[Content, ...] | None = None) -> tuple[Mapping[str, FieldValue], ...]:
    """The identity fields of every other document in the answer (or in `contents`): all of them were served."""
    if read.response is None or len(read.response.contents) < 2:
        return ()
    own = document_fields(read)
    looked = read.response.contents if contents is None else contents
    fields = (dict(each.document.fields) for each in looked if each.document.fields)
    return tuple(each for each in fields if each != own)
