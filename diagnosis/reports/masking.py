"""What an export hides of each read: secrets, its session's id, e-mail addresses, and names where that is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import unquote

from diagnosis.questions.judgement import Judgement
from diagnosis.reports.choices import REDACTED, Redaction
from diagnosis.reports.known import Known
from diagnosis.reports.redact import (
    Labels,
    Mask,
    blot,
    blot_uri,
    mask_emails,
    mask_secrets,
    mask_text,
    mask_uri,
    replace_found,
    replace_word,
)
from diagnosis.uris.reading import Alignment

_ID = 8  # characters of a session id that cannot be a word by chance
_LABEL = re.compile(r"session-[0-9]+")  # the id of a test's session; it would be hidden behind another one's label
_NAME = 3  # the same of a tenant's or a caller's name, where somebody asked to hide it


class Masking:
    """Hides the same things behind the same labels in a whole export.

    The id of any session is hidden in any text, where it is long enough to be one and is no tenant's name. A shorter
    one is replaced in sentences about its own reads, where it cannot be a value of the same name.
    """

    def __init__(self, judgements: Iterable[Judgement], redaction: Redaction = REDACTED) -> None:
        self.labels = Labels()
        self.redaction = redaction
        sessions: dict[str, None] = {}
        tenants: set[str] = set()
        taken: set[str] = set()
        names: dict[str, str] = {}
        for judgement in judgements:
            if judgement.read.session:
                sessions.setdefault(judgement.read.session)
            tenants.update(judgement.tenants)
            taken.update(binding.raw for reading in judgement.readings for binding in reading.bindings)
            if redaction.aliases:
                names.update((name, kind) for kind, name in _names(judgement) if len(name) >= _NAME)
        taken |= tenants
        self._ids = Known(
            each for each in sessions if len(each) >= _ID and each not in tenants and not _LABEL.fullmatch(each)
        )
        self._any_id = Known(each for each in sessions if each not in tenants and not _LABEL.fullmatch(each))
        self._kind_of = names
        self._names = Known(names)
        self._last: tuple[Judgement, Mask] | None = None  # reports ask for the same one again and again
        self._sessions = sessions
        self._in_sentences = {session for session in sessions if session not in taken}

    def session(self, session: str | None) -> str:
        """The label of a session; what is shown where a capture has none is said in words."""
        if not session:
            return "no session"
        return self.labels.of("session", session) if self.redaction.people else self.text(session)

    def caller(self, caller: str | None, *, is_session: bool) -> str:
        """A caller's own name without e-mail addresses, or the label of its session."""
        if caller is None:
            return "unknown"
        if is_session or (self.redaction.people and caller in self._sessions):  # a policy can name a session as caller
            return self.session(caller)
        return self.labels.of("caller", caller) if self.redaction.aliases else self.typed(caller)

    def tenant(self, tenant: str) -> str:
        """A tenant's name, or its alias."""
        return self.labels.of("tenant", tenant) if self.redaction.aliases else self.text(tenant)

    def uri(self, uri: str, judgement: Judgement | None = None) -> str:
        """A URI without its secrets and e-mail addresses; a template's text goes through here too."""
        if self.redaction.secrets:
            uri = mask_uri(uri, self.labels)
        return self._named(self._without_people(uri), judgement)

    def text(self, text: str) -> str:
        """Any other text of the log, that belongs to no read: what tells by itself that it is a secret is hidden."""
        if self.redaction.secrets:
            text = mask_text(text, self.labels)
        return self._named(self._without_people(text))

    def typed(self, text: str) -> str:
        """What a person typed, a reason or a filter: they mean a session by its id, however short that is."""
        if self.redaction.people:
            text = replace_found(text, self._any_id.find, self.session)
        return self.text(text)

    def drawing(self, uri: str, reading: Alignment) -> tuple[str, Alignment]:
        """A URI and its alignment with everything covered that must not be shown; all offsets stay good."""
        covered = blot_uri(uri, self.labels) if self.redaction.secrets else uri
        if self.redaction.people:
            covered = blot(covered, [(start, end, self.session(each)) for start, end, each in self._ids.find(covered)])
        if covered == uri:
            return uri, reading
        bindings = tuple(
            replace(binding, raw=covered[binding.start : binding.end], items=None) for binding in reading.bindings
        )
        undeclared = tuple(
            replace(one, value=covered[one.start : one.end].partition("=")[2]) for one in reading.undeclared
        )
        return covered, replace(reading, bindings=bindings, undeclared=undeclared)

    def of(self, judgement: Judgement) -> Mask:
        """A function that hides what must not be shown in a sentence about a read."""
        if self.redaction.off and not self.redaction.aliases:
            return _unchanged
        if self._last is None or self._last[0] is not judgement:
            self._last = (judgement, self._mask(judgement))
        return self._last[1]

    def stated(self, word: str) -> str:
        """What a person stated, with the label of any session named in it."""
        option, blank, rest = word.partition(" ")
        if self.redaction.aliases:
            return f"{option} (names are hidden)"
        who, equals, tenants = rest.partition("=")
        if equals and who in self._sessions:
            return f"{option}{blank}{self.session(who)}={self.text(tenants)}"
        return self.text(word)

    def summary(self) -> str:
        """What this export has removed so far, in words."""
        return self.labels.summary()

    def _mask(self, judgement: Judgement) -> Mask:
        session = judgement.read.session
        secrets = mask_secrets(_uris(judgement), self.labels) if self.redaction.secrets else _unchanged
        replaced = session if self.redaction.people and session in self._in_sentences else None

        def mask(text: str) -> str:
            text = secrets(text)
            if replaced and replaced in text:
                text = replace_word(text, replaced, self.labels.of("session", replaced))
            return self._named(self.text(text), judgement)

        return mask

    def _without_people(self, text: str) -> str:
        """Without e-mail addresses and the ids of sessions."""
        if not self.redaction.people:
            return text
        return replace_found(mask_emails(text, self.labels), self._ids.find, self.session)

    def _named(self, text: str, judgement: Judgement | None = None) -> str:
        """Puts aliases in the place of names where that is asked: of all, and short ones where their read is meant."""
        if not self.redaction.aliases:
            return text
        text = replace_found(text, self._names.find, lambda name: self.labels.of(self._kind_of[name], unquote(name)))
        if judgement is None:
            return text
        for kind, name in sorted(_names(judgement), key=lambda each: (-len(each[1]), each)):
            if name in text:
                text = replace_word(text, name, self.labels.of(kind, unquote(name)))
        return text


def _unchanged(text: str) -> str:
    return text


def _uris(judgement: Judgement) -> Iterator[str]:
    """The URIs that sentences about a read may quote: the one that was sent, and those that came back."""
    read = judgement.read
    if read.uri is not None:
        yield read.uri
    for response in (read.response, *read.extra):
        if response is None:
            continue
        yield from dict.fromkeys(
            content.uri for content in response.contents if content.uri not in (None, read.uri) and content.uri
        )
        if response.failure is not None and response.failure.uri is not None:
            yield response.failure.uri


def _names(judgement: Judgement) -> Iterator[tuple[str, str]]:
    """The tenants and the caller of a read, tenants also as the URI spells them."""
    caller = judgement.caller
    allowed = ((*(caller.allowed_tenants or ()), *caller.shared_tenants) if caller else ())[:200]
    for tenant in {*judgement.tenants, *allowed}:
        yield "tenant", tenant
    for reading in judgement.readings:
        for binding in reading.bindings:
            if binding.raw not in judgement.tenants and unquote(binding.raw) in judgement.tenants:
                yield "tenant", binding.raw
    if caller is not None:
        for name in {caller.id, caller.subject or "", *caller.subjects} - {""}:
            yield "caller", name
