"""Hides secrets, e-mail addresses and session ids, each value behind a label of its own.

A label keeps what a reader needs: equal values have equal labels, and a URI keeps its shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import unquote

from diagnosis.reports.secrets import Secret, in_text, in_uri
from diagnosis.visible import visible

Mask = Callable[[str], str]

# An escaped octet directly before the address (`%20ana@...`) is no part of it.
_EMAIL = re.compile(r"(?<![\w.+-])((?<=%)[0-9A-Fa-f]{2})?([\w.+-]+(?:@|%(?:25)*40)[\w-]+(?:\.[\w-]+)+)")
# A quoted local part may hold blanks (RFC 5321 section 4.1.2).
_QUOTED_EMAIL = re.compile(r"\"[^\"@]{1,64}\"@[\w-]+(?:\.[\w-]+)+")
# A part of a URI with octets that need no encoding, in which an address may hide.
_OVERENCODED = re.compile(r"[\w.+%@-]*%(?:25)*(?:[46][1-9A-Fa-f]|[57][0-9Aa]|3[0-9]|2[2DdEe]|5[Ff])[\w.+%@-]*")
# A shorter value may stand in a sentence by accident and is replaced as a whole word only.
_LONG_ENOUGH = 4
# No quote in a sentence is longer: 200 characters, each of which may be shown as `\\u{10ffff}`.
_QUOTED = 200 * 10
# Kinds whose labels read as names; all others stand in brackets.
_NAMES = ("session", "tenant", "caller")
# What each kind is called in a summary: one, and several.
KINDS = {
    "password": ("password", "passwords"),
    "token": ("token", "tokens"),
    "key": ("key", "keys"),
    "signature": ("signature", "signatures"),
    "secret": ("secret", "secrets"),
    "email": ("e-mail address", "e-mail addresses"),
    "session": ("session id", "session ids"),
    "tenant": ("tenant's name", "tenants' names"),
    "caller": ("caller's name", "callers' names"),
}


class Labels:
    """Hands out `[token-1]`, `session-2`, `[email-1]`: the same one for the same value, counted per kind.

    A value that was met as one kind keeps that label wherever else it stands, also percent-encoded.
    """

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def of(self, kind: str, value: str) -> str:
        """Returns the label of a value; a new value gets the next number of its kind."""
        known = self._given.get(value)
        if known is not None:
            return known
        key = value if kind in _NAMES else unquote(unquote(value))
        if key not in self._given:
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
            self._given[key] = f"{kind}-{number}" if kind in _NAMES else f"[{kind}-{number}]"
        self._given[value] = self._given[key]
        return self._given[key]

    def counts(self) -> dict[str, int]:
        """How many different values of each kind have got a label, in the order of `KINDS`."""
        return {kind: self._counts[kind] for kind in KINDS if kind in self._counts}

    def given(self) -> list[str]:
        """Every label that was handed out, in order."""
        return list(dict.fromkeys(self._given.values()))

    def summary(self) -> str:
        """What was removed, in words: `2 tokens, 1 e-mail address`; `nothing` where there was nothing."""
        counts = self.counts()
        return ", ".join(f"{count} {KINDS[kind][count != 1]}" for kind, count in counts.items()) or "nothing"


def mask_uri(uri: str, labels: Labels) -> str:
    """Returns the URI with a label in the place of each secret; a URI without any comes back unchanged."""
    return _labelled(uri, in_uri(uri), labels)


def mask_text(text: str, labels: Labels) -> str:
    """Returns any text that is no URI with a label in the place of each secret that tells what it is."""
    return _labelled(text, in_text(text), labels)


def mask_secrets(uris: Iterable[str], labels: Labels) -> Mask:
    """Returns a function that hides the secrets of these URIs in any sentence about them, decoded or not."""
    hidden: dict[str, str] = {}
    for uri in uris:
        for start, end, kind in in_uri(uri):
            raw = uri[start:end]
            label = labels.of(kind, raw)
            once = unquote(raw)
            for form in (raw, once, unquote(once)):
                hidden.setdefault(form, label)
                hidden.setdefault(visible(form), label)  # as sentences quote it
    if not hidden:
        return lambda text: text
    return lambda text: replace_values(_without_beginnings(text, hidden), hidden.items())


def mask_emails(text: str, labels: Labels) -> str:
    """Returns the text with a label in the place of each e-mail address, also a percent-encoded one."""
    return replace_found(text, addresses, lambda address: labels.of("email", address))


def addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Where e-mail addresses stand in a text, each with its plain form in small letters."""
    if "@" not in text and "40" not in text:
        return
    end = 0
    for piece in _OVERENCODED.finditer(text) if "%" in text else ():
        plain = unquote(unquote(piece[0]))
        found = _QUOTED_EMAIL.search(plain) or _EMAIL.search(plain)
        if found is not None:
            yield from _addresses(text, end, piece.start())
            yield *piece.span(), plain.lower()
            end = piece.end()
    yield from _addresses(text, end, len(text))


def _addresses(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    for found in _EMAIL.finditer(text, start, end):
        yield *found.span(2), unquote(unquote(found[2])).lower()


def blot_uri(uri: str, labels: Labels) -> str:
    """Returns the URI with secrets and e-mail addresses covered, character for character.

    Every offset into the URI stays good, which a drawing of it against its template needs. The cover is made
    of characters that may stand anywhere and never looks like a fault itself.
    """
    spans = [(start, end, labels.of(kind, uri[start:end])) for start, end, kind in in_uri(uri)]
    for begin, stop, address in addresses(uri):
        if not any(start < stop and begin < end for start, end, _ in spans):
            spans.append((begin, stop, labels.of("email", address)))
    return blot(uri, spans)


def blot(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """Covers each span with as much of its label as there is room for."""
    for start, end, label in spans:
        text = text[:start] + label.strip("[]").ljust(end - start, "~")[: end - start] + text[end:]
    return text


def replace_found(text: str, find: Callable[[str], Iterable[tuple[int, int, str]]], label: Callable[[str], str]) -> str:
    """Returns the text with a label in the place of each value that is found."""
    out: list[str] = []
    at = 0
    for start, end, value in find(text):
        out += (text[at:start], label(value))
        at = end
    return "".join((*out, text[at:])) if out else text


def replace_values(text: str, values: Iterable[tuple[str, str]]) -> str:
    """Replaces values by their labels, the longest first; a value below four characters as a word only."""
    for value, label in sorted(values, key=lambda pair: -len(pair[0])):
        if value and value in text:
            text = text.replace(value, label) if len(value) >= _LONG_ENOUGH else replace_word(text, value, label)
    return text


def replace_word(text: str, word: str, label: str) -> str:
    """Replaces a word where no letter, digit, `-` or `_` touches it; an escaped octet before it does not."""
    out: list[str] = []
    at = 0
    while (found := text.find(word, at)) >= 0:
        end = found + len(word)
        before = not _touches(text[found - 1 : found]) or _ESCAPED.fullmatch(text[max(0, found - 3) : found])
        out.append(text[at:found] + (label if before and not _touches(text[end : end + 1]) else word))
        at = end
    return "".join((*out, text[at:]))


_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}")


def _labelled(text: str, found: Iterable[Secret], labels: Labels) -> str:
    out: list[str] = []
    at = 0
    for start, end, kind in found:
        out += (text[at:start], labels.of(kind, text[start:end]))
        at = end
    return "".join((*out, text[at:])) if out else text


def _without_beginnings(text: str, hidden: Mapping[str, str]) -> str:
    """Hides the beginning of a value where a long quote was cut, in front of its ellipsis."""
    pieces = text.split("…")
    for index, piece in enumerate(pieces[:-1]):
        for value, label in hidden.items():
            longest = min(len(value) - 1, _QUOTED)
            beginning = next((n for n in range(longest, _LONG_ENOUGH - 1, -1) if piece.endswith(value[:n])), 0)
            if beginning:
                piece = piece[:-beginning] + label
        pieces[index] = piece
    return "…".join(pieces)


def _touches(neighbour: str) -> bool:
    return neighbour.isalnum() or (neighbour != "" and neighbour in "-_")
