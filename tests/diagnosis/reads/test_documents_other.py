"""CSV, prose, blobs, and what is no document at all."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.reads.documents import TEXT_LIMIT, VALUE_LIMIT, document
from diagnosis.reads.read import DocumentKind, FieldValue


def csv_fields(text: str) -> dict[str, FieldValue]:
    found = document(text, None, "text/csv")
    assert found.kind is DocumentKind.CSV
    return dict(found.fields)


def blob(text: str | bytes, media_type: str | None = "application/json") -> tuple[DocumentKind, dict[str, FieldValue]]:
    data = text.encode() if isinstance(text, str) else text
    found = document(None, base64.b64encode(data).decode(), media_type)
    return found.kind, dict(found.fields)


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_csv_column_names_something_where_it_is_uniform(line_break: str, mark: str) -> None:
    lines = ["tenant,month,amount", "acme,2025-10,1", "", "acme,2025-10,2"]
    assert csv_fields(mark + line_break.join(lines)) == {"tenant": "acme", "month": "2025-10"}


def test_one_row_makes_every_column_uniform() -> None:
    assert csv_fields("tenant,amount\nacme,012\n") == {"tenant": "acme", "amount": "012"}


def test_quoted_csv() -> None:
    assert csv_fields('"tenant","note"\n"ac,me","a\nb"\n"ac,me","c"\n') == {"tenant": "ac,me"}


@pytest.mark.parametrize("text", ["tenant,month\n", "acme", "a,b\n1\n", "a,b\n1,2,3\n"])
def test_csv_without_a_header_and_rows_under_it(text: str) -> None:
    found = document(text, None, "text/csv; header=present")
    assert (found.kind, found.fields, found.why) == (DocumentKind.CSV, (), "it has no header with rows under it")


@pytest.mark.parametrize("text", ['a,b\n"x"y,z\n', 'a\n"open\n', "a\n" + "x" * 200_000 + "\n"])
def test_csv_that_does_not_parse(text: str) -> None:
    assert document(text, None, "text/csv").kind is DocumentKind.UNREADABLE


def test_csv_limits() -> None:
    assert document("a\n" * TEXT_LIMIT, None, "text/csv").kind is DocumentKind.UNREADABLE
    assert csv_fields("a,b\n" + "x" * (VALUE_LIMIT + 1) + ",1\n") == {"b": "1"}


@pytest.mark.parametrize(
    "text", ["tenant: acme", "Report of acme", "tenant,month\nacme,2025-10\n", '[{"tenant": "acme"}]', "<a>acme</a>"]
)
@pytest.mark.parametrize("media_type", [None, "text/plain", "text/html"])
def test_prose_names_no_fields(text: str, media_type: str | None) -> None:
    found = document(text, None, media_type)
    assert (found.kind, found.fields, found.why) == (DocumentKind.TEXT, (), "free text names no fields")
    assert found.size == len(text)


def test_sizes_are_bytes() -> None:
    assert document("ü", None, None).size == 2
    assert document("\ud83d", None, None).size == 3


def test_blobs_of_textual_types_are_read() -> None:
    assert blob('{"tenant": "acme"}') == (DocumentKind.JSON, {"tenant": "acme"})
    assert blob("tenant: acme", "application/x-yaml") == (DocumentKind.YAML, {"tenant": "acme"})
    assert blob("tenant\nacme\n", "text/csv") == (DocumentKind.CSV, {"tenant": "acme"})
    assert blob("words", "text/plain") == (DocumentKind.TEXT, {})
    assert blob("", "text/plain") == (DocumentKind.EMPTY, {})


@pytest.mark.parametrize("media_type", [None, "", "image/png", "application/octet-stream", "application/pdf"])
def test_blobs_of_other_types_are_not_looked_at(media_type: str | None) -> None:
    found = document(None, base64.b64encode(b'{"tenant": "acme"}').decode(), media_type)
    assert (found.kind, found.fields, found.size) == (DocumentKind.BINARY, (), 18)


@pytest.mark.parametrize("data", ["{}", "e30", "=", "ab%3D", "é", "\ud83d", "/w==", "YQ==YQ=="])
def test_bad_blobs_are_unreadable(data: str) -> None:
    found = document(None, data, "application/json")
    assert (found.kind, found.why) == (DocumentKind.UNREADABLE, "the blob is not base64 of UTF-8 text")


def test_the_alphabet_for_urls_and_line_breaks() -> None:
    text = '{"tenant": "ÿþ?>~ÿþ?>~"}'
    standard, for_urls = base64.b64encode(text.encode()).decode(), base64.urlsafe_b64encode(text.encode()).decode()
    assert standard != for_urls
    for data in (standard, for_urls, base64.encodebytes(text.encode()).decode()):
        assert document(None, data, "application/json").fields == (("tenant", "ÿþ?>~ÿþ?>~"),)


def test_text_counts_before_a_blob() -> None:
    found = document('{"tenant": "acme"}', base64.b64encode(b'{"tenant": "globex"}').decode(), "application/json")
    assert found.fields == (("tenant", "acme"),)


@pytest.mark.parametrize(("text", "data"), [(None, None), (5, None), ({}, []), (None, 5)])
def test_neither_text_nor_blob(text: object, data: object) -> None:
    found = document(text, data, "application/json")
    assert (found.kind, found.why) == (DocumentKind.EMPTY, "it has neither text nor blob")


@given(
    st.text(max_size=80) | st.just('{"a":1}'),
    st.sampled_from([None, "application/json", "text/csv", "text/markdown", "text/yaml", ";", "json;json"]),
)
def test_nothing_makes_it_raise(text: str, media_type: str | None) -> None:
    for found in (document(text, None, media_type), document(None, text, media_type)):
        assert found.fields == () or found.why == ""
