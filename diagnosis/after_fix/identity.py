"""What a read asked for, so that it is known again in another capture: the intended values, not the bytes."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

from diagnosis.questions.judgement import Judgement
from diagnosis.uris.alignment import align, encoded_offsets, expected
from diagnosis.uris.reading import Alignment, Binding, Fit

# ("uri", text), or ("values", template, variables, undeclared parameters)
Key = tuple[object, ...]


def keys_of(judgement: Judgement) -> tuple[Key, ...]:
    """The keys that two reads must share one of to have asked for the same thing; none without a URI.

    The exact URI is always one. Where the URI reads in one way only, its correct expansion is another, and so are
    template and values of that expansion: a value that the client learnt to encode is the same value. A raw `+`
    may have meant a space or a plus; both count.
    """
    uri = judgement.read.uri
    if uri is None:
        return ()
    found: list[Key] = [("uri", uri)]
    if len(judgement.readings) == 1:
        (reading,) = judgement.readings
        for want in _intended(reading, uri):
            found += [("uri", want), *_values(want, uri, reading)]
    return tuple(dict.fromkeys(found))


def name_of(judgement: Judgement) -> Key:
    """The one key by which reads of one capture are put together: template and values where they are known."""
    keys = keys_of(judgement)
    return next((key for key in keys if key[0] == "values"), keys[0] if keys else ("digest", judgement.read.digest))


def _intended(reading: Alignment, uri: str) -> Iterator[str]:
    """The URIs that a correct client sends for these values."""
    yield expected(reading, uri)
    wrong = encoded_offsets(reading, uri)
    if any(uri[at] == "+" for at in wrong):
        spaced = "".join("%20" if each == "+" and at in wrong else each for at, each in enumerate(uri))
        again = align(spaced, reading.template)
        if again is not None and len(again.found) == 1:
            yield expected(again.found[0], spaced)


def _values(want: str, uri: str, reading: Alignment) -> Iterator[Key]:
    """The key of a correct expansion; none where it cannot be read in one way only."""
    found: Alignment | None = reading
    if want != uri or reading.fit not in (Fit.STRICT, Fit.TOLERATED):
        again = align(want, reading.template)
        whole = again is not None and not again.exhausted and again.fit in (Fit.STRICT, Fit.TOLERATED)
        found = again.found[0] if again is not None and whole and len(again.found) == 1 else None
    if found is None:
        return
    values = tuple(sorted((each.name, _value(each)) for each in found.bindings))
    extra = tuple(sorted((each.name, each.value) for each in found.undeclared))
    yield ("values", reading.template.text, values, extra)


def _value(binding: Binding) -> tuple[bytes, ...]:
    """The value's bytes, decoded once; no two values become one, also where the bytes are no UTF-8."""
    items = (binding.raw,) if binding.items is None else binding.items
    return tuple(unquote_to_bytes(each.encode("utf-8", "surrogatepass")) for each in items)
