"""The decode ladder of a read: its percent-encoded values as sent and decoded, and what the answer says of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from diagnosis.questions.facts import document_fields
from diagnosis.questions.fields import Stated, Statement, canonical, statements, twice
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import FieldValue, Read
from diagnosis.uris.percent import decode
from diagnosis.uris.reading import Binding
from diagnosis.wording import quoted


@dataclass(frozen=True, slots=True)
class Step:
    """A text after some decodes, with the words for how many, and what of the answer equals it."""

    words: str
    text: str
    equal: str = ""


@dataclass(frozen=True, slots=True)
class Ladder:
    """The steps of one value, of the URI itself (`of` is "") or of a variable; only where a decode changes it.

    `beside` says what the answer has instead, where it equals no step; "" otherwise.
    """

    of: str
    steps: tuple[Step, ...]
    beside: str = ""


def ladders(judgement: Judgement) -> tuple[Ladder, ...]:
    """The ladder of the URI, then one for each variable that the document states; none where nothing is encoded."""
    uri = judgement.read.uri
    if uri is None or decode(uri) == uri:
        return ()
    return (_of_uri(uri, judgement.read), *_of_variables(judgement))


def _of_uri(uri: str, read: Read) -> Ladder:
    echoes = {content.uri for content in read.response.contents if content.uri} if read.response else set()
    laid = _steps(uri, twice(uri, decode(uri)))
    steps = tuple(Step(words, text, "the echoed URI" if text in echoes else "") for words, text in laid)
    strange = "" if not echoes or any(step.equal for step in steps) else "the echoed URI is none of these"
    return Ladder("", steps, strange)


def _of_variables(judgement: Judgement) -> Iterator[Ladder]:
    if not judgement.readings:
        return
    template = judgement.readings[0].template
    bindings = {name: binding for name, binding in _agreed(judgement) if decode(binding.raw) != binding.raw}
    for said in statements(bindings, template, document_fields(judgement.read)):
        if said.stated is not Stated.SILENT:
            yield _of_variable(bindings[said.variable], said)


def _agreed(judgement: Judgement) -> Iterable[tuple[str, Binding]]:
    """The variables that every reading of the URI binds alike: of the others no step is known to be a value."""
    first, *others = ({each.name: each for each in one.bindings} for one in judgement.readings)
    return [(n, b) for n, b in first.items() if all(n in other and other[n].raw == b.raw for other in others)]


def _of_variable(binding: Binding, said: Statement) -> Ladder:
    once = decode(binding.raw)
    steps = list(_steps(binding.raw, twice(binding.raw, once)))
    at = _step_of(said, [text for _, text in steps])
    field = f"the document's {quoted(said.field)}"
    return Ladder(
        said.variable,
        tuple(Step(words, text, field if number == at else "") for number, (words, text) in enumerate(steps)),
        "" if at is not None else _beside(field, said),
    )


def _steps(raw: str, second: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """As sent, decoded once, decoded twice; a `+` may be a space for the second decoder."""
    yield "as sent", raw
    yield "decoded once", decode(raw)
    for number, text in enumerate(second):
        yield "decoded twice, + as a space" if number else "decoded twice", text


def _step_of(said: Statement, texts: list[str]) -> int | None:
    """The step that the document's field equals, as question 2 compared them."""
    if said.stated in (Stated.AGREES, Stated.CONVERTED):
        return 1
    if said.stated is Stated.RAW:
        return 0
    if said.stated is Stated.TWICE:
        named = [number for number, text in enumerate(texts) if number > 1 and text == _text(said.value)]
        return named[0] if named else (2 if len(texts) == 3 else None)
    return None


def _beside(field: str, said: Statement) -> str:
    if said.stated is Stated.HIDDEN:
        return f"{field} is redacted in the log"
    if said.stated is Stated.ALIAS:
        return f"{field} is another spelling of the value decoded once: {quoted(_text(said.value))}"
    return f"{field} is none of these: {quoted(_text(said.value))}"


def _text(value: FieldValue) -> str:
    return ", ".join(map(canonical, value)) if isinstance(value, tuple) else canonical(value)
