"""What an honest tool must and must not say, whatever the client, the server and the values are."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote, unquote

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from diagnosis.questions.judgement import Judgement
from tests.diagnosis.questions.build import ACME_ONLY, NOT_FOUND, Log, classes, one

SETTINGS = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
RESERVED = ":/?#[]@!$&'()*+,;="
TEMPLATES = [
    "note://{name}",
    "r://{tenant}/{name}",
    "r://{tenant}/lit/{name}/raw",
    "r://x/{tenant}/y/{name}",
    "r://{tenant}/{name}{?q}",
    "r://x{/tenant,name}",
    "r://x{;name}",
]
TOKENS = ["a", "b", "1", "Q", " ", "/", "&", ":", ",", "+", "\u00e9", "%2F", "%20", "%25", "'", "?", "#"]
values = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=5).map("".join)
NAMES = ("tenant", "name", "month", "leaf", "q")
bindings = st.fixed_dictionaries(dict.fromkeys(NAMES, values))


@st.composite
def composed(draw: st.DrawFn) -> str:
    """A template of literal and variable segments, at times with a query."""
    bound = draw(st.lists(st.sampled_from(NAMES[:4]), min_size=1, max_size=3, unique=True))
    parts: list[str] = []
    for name in bound:
        parts += draw(st.sampled_from([[], ["lit"], ["lit.x", "raw"]]))
        parts.append(f"{{{name}}}")
    query = draw(st.sampled_from(["", "{?q}"]))
    return f"{draw(st.sampled_from(['r', 'docs']))}://{'/'.join(parts)}{query}"


templates = st.one_of(st.sampled_from(TEMPLATES), composed())


def rfc(text: str) -> str:
    """Simple expansion of RFC 6570."""
    return quote(text, safe="")


def raw(text: str) -> str:
    """Plain substitution."""
    return text


def encode_uri(text: str) -> str:
    """What JavaScript's encodeURI leaves of a value."""
    return quote(text, safe=RESERVED.replace("[", "").replace("]", ""))


def encode_uri_component(text: str) -> str:
    """What JavaScript's encodeURIComponent leaves of a value."""
    return quote(text, safe="!'()*")


def url_type(text: str) -> str:
    """What a URL type does with a value that was substituted raw: it escapes what it must."""
    return quote(text, safe=RESERVED + "%")


ENCODERS = [rfc, raw, encode_uri, encode_uri_component, url_type]


def expand(template: str, spans: dict[str, str]) -> str:
    """Puts encoded spans into one of the templates above."""
    text = template.replace("{/tenant,name}", "/{tenant}/{name}").replace("{;name}", ";name={name}")
    text = text.replace("{?q}", "?q={q}")
    return re.sub(r"\{(\w+)\}", lambda found: spans[found[1]], text)


def names(template: str) -> list[str]:
    """The variables of a template."""
    return [name for name in NAMES if re.search(rf"\b{name}\b", template)]


def decoded(text: str, times: int) -> str:
    """A text after so many decodes."""
    for _ in range(times):
        text = unquote(text)
    return text


@SETTINGS
@given(templates, bindings, st.sampled_from([rfc, encode_uri_component]))
def test_a_client_that_encodes_is_never_blamed(template: str, bound: dict[str, str], encoder: Any) -> None:
    judged = one(template, expand(template, {name: encoder(value) for name, value in bound.items()}))
    assert judged.segments.verdict == "intact"
    assert not judged.findings


FORBIDDEN = [" ", "/", ":", "\u00e9", "+", "?", "#", "%zz", '"', "@", ";"]


@SETTINGS
@given(
    st.sampled_from([text for text in TEMPLATES if "?" not in text]),
    st.sampled_from([*FORBIDDEN, "&", ","]),
    st.sampled_from(["tenant", "name"]),
)
def test_a_raw_client_that_meets_a_forbidden_character_escapes(template: str, bad: str, where: str) -> None:
    where = where if where in names(template) else "name"
    assume(bad != "," or "," not in template)  # a comma is strict where an expression has several variables
    spans = {"tenant": "acme", "name": "plan", where: f"a{bad}b"}
    judged = one(template, expand(template, spans))
    assert judged.segments.verdict == "escaped"
    assert classes(judged) == {"under-encoding"}


@SETTINGS
@given(st.sampled_from(FORBIDDEN), st.sampled_from(["tenant", "name", "q"]))
def test_a_raw_client_of_a_query_escapes_too(bad: str, where: str) -> None:
    spans = {"tenant": "acme", "name": "plan", "q": "x", where: f"a{bad}b"}
    assert one("r://{tenant}/{name}{?q}", expand("r://{tenant}/{name}{?q}", spans)).segments.verdict == "escaped"


@SETTINGS
@given(templates, bindings, st.sampled_from(ENCODERS))
def test_escaped_exactly_where_there_is_a_finding(template: str, bound: dict[str, str], encoder: Any) -> None:
    judged = one(template, expand(template, {name: encoder(value) for name, value in bound.items()}))
    assert (judged.segments.verdict == "escaped") == ("under-encoding" in classes(judged))
    assert not classes(judged) - {"under-encoding"}
    assert judged.document.verdict == "cannot_tell"


@SETTINGS
@given(templates, bindings, st.integers(0, 2), st.booleans(), st.data())
def test_a_double_decode_exactly_where_a_field_shows_one(
    template: str, bound: dict[str, str], times: int, copied: bool, data: st.DataObject
) -> None:
    spans = {name: rfc(bound[name]) for name in names(template)}
    stated = data.draw(st.lists(st.sampled_from(names(template)), min_size=1, unique=True))
    body = {name: decoded(spans[name], times) for name in stated}
    uri = expand(template, spans)
    echo = uri if copied else expand(template, {name: rfc(decoded(span, times)) for name, span in spans.items()})
    judged = one(template, uri, body, echo=echo)
    shown = times == 2 and any(decoded(spans[name], 1) != body[name] for name in stated)
    assert classes(judged) == ({"double-decode"} if shown else set())
    if times == 1:
        assert judged.document.verdict == "match"
    if shown:
        assert [str(finding.certainty) for finding in judged.findings] == ["certain"]


layers = st.lists(st.sampled_from(["a", "b", "%2F", "%26", "%3A"]), min_size=1, max_size=4).map("".join)


@SETTINGS
@given(layers.filter(lambda text: "%" in text), st.integers(0, 2))
def test_an_echo_alone_shows_a_double_decode_exactly_where_two_layers_are_lost(value: str, lost: int) -> None:
    span = rfc(value)
    judged = one("docs://{space}/{name}", f"docs://ops/{span}", echo=f"docs://ops/{decoded(span, lost)}")
    assert classes(judged) == ({"double-decode"} if lost == 2 else set())
    assert {str(finding.certainty) for finding in judged.findings} == ({"likely"} if lost == 2 else set())


@SETTINGS
@given(
    templates.filter(lambda text: "{tenant}" in text),
    bindings,
    st.sampled_from(["acme", "northwind", None]),
    st.integers(0, 2),
    st.sampled_from([None, NOT_FOUND, {"code": -32001, "message": "Forbidden"}]),
    st.booleans(),
)
def test_a_missing_check_exactly_where_a_foreign_document_was_served(
    template: str, bound: dict[str, str], tenant: str | None, times: int, check: Any, fields: bool
) -> None:
    values = {**bound, "tenant": tenant or bound["tenant"]}
    spans = {name: rfc(values[name]) for name in names(template)}
    refused = check is not None and values["tenant"] != "acme"
    body: Any = {name: decoded(span, times) for name, span in spans.items()} if fields else "some text"
    judged = one(template, expand(template, spans), body, ACME_ONLY, error=check if refused else None)
    foreign = not refused and values["tenant"] != "acme"
    assert classes(judged) - {"double-decode"} == ({"missing-authorization"} if foreign else set())
    assert (judged.principal.verdict == "not_checked") == foreign


@SETTINGS
@given(templates, bindings, st.sampled_from(ENCODERS), st.integers(0, 2))
def test_without_a_caller_question_3_never_accuses(
    template: str, bound: dict[str, str], encoder: Any, times: int
) -> None:
    spans = {name: encoder(bound[name]) for name in names(template)}
    body = {name: decoded(span, times) for name, span in spans.items()}
    judged = one(template, expand(template, spans), body)
    assert "missing-authorization" not in classes(judged)
    assert judged.principal.verdict == "cannot_tell"


@SETTINGS
@given(st.lists(st.sampled_from([*TOKENS, "{", "}", "%", "\x00", "\\", "..", "[", "://"]), max_size=12).map("".join))
def test_any_uri_and_any_document_are_judged(text: str) -> None:
    judged: Judgement = one(("r://{tenant}/{name}", "r://{+path}{?q}"), f"r://{text}", json.dumps([text]), ACME_ONLY)
    assert len(judged.answers) == 3
    for answer in judged.answers:
        assert answer.because
        assert bool(answer.missing) == (answer.verdict == "cannot_tell")


def test_the_log_builder_expands_as_written() -> None:
    assert expand("r://x{/tenant,name}", {"tenant": "a", "name": "b"}) == "r://x/a/b"
    assert Log("r://{name}").judge() == []
