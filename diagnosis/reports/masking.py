"""What the text reports hide of each read: secrets, its session's id, e-mail addresses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from diagnosis.questions.judgement import Judgement
from diagnosis.reports.redact import (
    Labels,
    Mask,
    blot_uri,
    mask_emails,
    mask_secrets,
    mask_tokens,
    mask_uri,
    replace_word,
)
from diagnosis.uris.reading import Alignment


class Masking:
    """Hides the same things behind the same labels in a whole report.

    A session id is replaced inside a sentence only where it cannot be a tenant or a value of the same name.
    """

    def __init__(self, judgements: Iterable[Judgement]) -> None:
        self.labels = Labels()
        sessions: dict[str, None] = {}
        taken: set[str] = set()
        for judgement in judgements:
            if judgement.read.session:
                sessions.setdefault(judgement.read.session)
            taken.update(judgement.tenants)
            taken.update(binding.raw for reading in judgement.readings for binding in reading.bindings)
        self._sessions = sessions
        self._in_sentences = {session for session in sessions if session not in taken}

    def session(self, session: str | None) -> str:
        """The label of a session; what is shown where a capture has none is said in words."""
        return self.labels.of("session", session) if session else "no session"

    def caller(self, caller: str | None, *, is_session: bool) -> str:
        """A caller's own name without e-mail addresses, or the label of its session."""
        if caller is None:
            return "unknown"
        return self.session(caller) if is_session else self.of(None)(caller)

    def uri(self, uri: str) -> str:
        """A URI without its secrets and e-mail addresses."""
        return mask_emails(mask_uri(uri, self.labels), self.labels)

    def drawing(self, uri: str, reading: Alignment) -> tuple[str, Alignment]:
        """A URI and its alignment with everything covered that must not be shown; all offsets stay good."""
        covered = blot_uri(uri, self.labels)
        if covered == uri:
            return uri, reading
        bindings = tuple(
            replace(binding, raw=covered[binding.start : binding.end], items=None) for binding in reading.bindings
        )
        undeclared = tuple(
            replace(one, value=covered[one.start : one.end].partition("=")[2]) for one in reading.undeclared
        )
        return covered, replace(reading, bindings=bindings, undeclared=undeclared)

    def of(self, judgement: Judgement | None) -> Mask:
        """A function that hides what must not be shown in a sentence about a read."""
        uri = judgement.read.uri if judgement else None
        session = judgement.read.session if judgement else None
        secrets = mask_secrets(uri, self.labels)
        replaced = session if session in self._in_sentences else None

        def mask(text: str) -> str:
            text = secrets(text)
            if replaced and replaced in text:
                text = replace_word(text, replaced, self.labels.of("session", replaced))
            return mask_emails(mask_tokens(text, self.labels), self.labels)

        return mask

    def stated(self, word: str) -> str:
        """What a person stated, with the label of any session named in it."""
        for session in sorted(self._sessions, key=len, reverse=True):
            option, blank, rest = word.partition(" ")
            who, equals, tenants = rest.partition("=")
            if equals and who == session:
                return f"{option}{blank}{self.session(session)}={mask_emails(tenants, self.labels)}"
        return mask_emails(word, self.labels)
