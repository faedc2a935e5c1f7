"""Counting decodes where values may hold separators, and telling crossed answers from decodes."""

from __future__ import annotations

from urllib.parse import quote, unquote

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.diagnosis.questions.build import Log, classes, content, one, remarks

SETTINGS = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
PATH_TOKENS = ["a", "b", "..", "/", "%2F", "%252F", " ", "\u00e9", "."]
paths = st.lists(st.sampled_from(PATH_TOKENS), min_size=1, max_size=6).map("".join)
items = st.lists(
    st.lists(st.sampled_from(["a", "b", "/", "%2F", " ", "%20", ","]), min_size=1, max_size=3).map("".join),
    min_size=1,
    max_size=3,
)


def decoded(text: str, times: int) -> str:
    """A text after so many decodes."""
    for _ in range(times):
        text = unquote(text)
    return text


@SETTINGS
@given(paths, st.integers(0, 2))
def test_a_reserved_value_is_decoded_as_often_as_its_field_says(path: str, times: int) -> None:
    span = quote(path, safe=":/?#[]@!$&'()*+,;=%")
    body = {"tenant": "acme", "path": decoded(span, times)}
    judged = one("files://{tenant}/{+path}", f"files://acme/{span}", body)
    assert judged.segments.verdict == "intact"
    twice = times == 2 and decoded(span, 2) != decoded(span, 1)
    assert classes(judged) == ({"double-decode"} if twice else set())
    if not twice:
        assert judged.document.verdict == "match"


@SETTINGS
@given(items, st.integers(0, 2))
def test_a_list_is_split_first_and_then_decoded(values: list[str], times: int) -> None:
    spans = [quote(value, safe="") for value in values]
    body = {"p": [decoded(span, times) for span in spans]}
    judged = one("tree://root{/p*}", "tree://root/" + "/".join(spans), body)
    assert judged.segments.verdict == "intact"
    twice = times == 2 and any(decoded(span, 2) != decoded(span, 1) for span in spans)
    assert classes(judged) == ({"double-decode"} if twice else set())
    if not twice:
        assert judged.document.verdict == "match"


names = st.sampled_from(["plan", "a%2Fb", "a%252Fb", "rota", "on%20call"])


@SETTINGS
@given(names, names, st.booleans(), st.booleans())
def test_crossed_answers_are_told_from_decodes(first: str, second: str, swapped: bool, stated: bool) -> None:
    uris = [f"docs://ops/{first}", f"docs://hr/{second}"]
    log = Log("docs://{space}/{name}")
    numbers = [log.request(uri) for uri in uris]
    for number, uri in zip(numbers, reversed(uris) if swapped else uris, strict=True):
        space, name = uri.removeprefix("docs://").split("/")
        body = {"space": space, "name": unquote(name)} if stated else "some text"
        log.reply({"id": number, "result": {"contents": [content(uri, body)]}})
    for judged in log.judge():
        assert ("crossed-response" in remarks(judged)) == swapped
        assert not judged.findings
        assert (judged.document.verdict == "mismatch") == swapped
