"""The decode ladder: each step of a URI and of its variables, and which of them the answer has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from diagnosis.questions.judgement import Judgement
from diagnosis.questions.ladder import Ladder, Step, ladders
from diagnosis.reads.read import Content, Document, DocumentKind, FieldValue
from tests.app.build import judgement

NOTE = "notes://{book}/{note}"


def answered(uri: str, fields: dict[str, FieldValue], echo: str | None = None, template: str = NOTE) -> Judgement:
    """A read whose answer is a document with these fields."""
    one = judgement(0, uri, template)
    assert one.read.response is not None
    content = Content(echo, "application/json", Document(DocumentKind.JSON, tuple(fields.items())))
    return replace(one, read=replace(one.read, response=replace(one.read.response, contents=(content,))))


def of_note(one: Judgement) -> Ladder:
    """The ladder of the variable `note`."""
    return next(each for each in ladders(one) if each.of == "note")


def test_a_second_decode_is_marked_at_its_step() -> None:
    uri, twice = ladders(answered("notes://q/a%252Fb", {"note": "a/b"}, echo="notes://q/a%2Fb"))
    assert uri == Ladder(
        "",
        (
            Step("as sent", "notes://q/a%252Fb"),
            Step("decoded once", "notes://q/a%2Fb", "the echoed URI"),
            Step("decoded twice", "notes://q/a/b"),
        ),
    )
    assert twice == Ladder(
        "note",
        (
            Step("as sent", "a%252Fb"),
            Step("decoded once", "a%2Fb"),
            Step("decoded twice", "a/b", "the document's `note`"),
        ),
    )


@pytest.mark.parametrize(
    ("raw", "value", "equal", "beside"),
    [
        ("a%2Fb", "a/b", {"decoded once"}, ""),
        ("a%2Fb", "a%2Fb", {"as sent"}, ""),
        ("%312", 12, {"decoded once"}, ""),
        ("a%252Fb", "A%2fb", set(), "the document's `note` is another spelling of the value decoded once: `A%2fb`"),
        ("a%20b", "c", set(), "the document's `note` is none of these: `c`"),
        ("a%20b", "[REDACTED]", set(), "the document's `note` is redacted in the log"),
        ("a%252Bb", "a b", set(), "the document's `note` is none of these: `a b`"),
        ("a%2Bb", "a b", {"decoded twice"}, ""),
    ],
)
def test_what_the_document_states(raw: str, value: FieldValue, equal: set[str], beside: str) -> None:
    found = of_note(answered(f"notes://q/{raw}", {"note": value}))
    assert {step.words for step in found.steps if step.equal} == equal
    assert found.beside == beside


def test_a_variable_without_layers_or_without_a_field_has_no_ladder() -> None:
    assert [each.of for each in ladders(answered("notes://q/a%20b", {"book": "q"}))] == [""]
    assert ladders(answered("notes://q/a", {"note": "a"})) == ()
    assert ladders(judgement(0, None)) == ()


def test_an_echo_that_is_no_step_is_said() -> None:
    (uri,) = ladders(answered("notes://q/a%20b", {}, echo="notes://q/c"))
    assert uri.beside == "the echoed URI is none of these"


def test_a_read_without_an_answer_still_has_the_steps_of_its_uri() -> None:
    (uri,) = ladders(judgement(0, "notes://q/a%2520b", answered=False))
    assert [step.text for step in uri.steps] == ["notes://q/a%2520b", "notes://q/a%20b", "notes://q/a b"]


def test_variables_that_readings_bind_differently_have_no_ladder() -> None:
    one = answered("x://a%20/p/b/p/c", {"v": "a /p/b"}, template="x://{+v}/p/{+w}")
    assert len(one.readings) == 2
    assert [each.of for each in ladders(one)] == [""]
