"""Marks that stand where a log's writer removed something."""

from __future__ import annotations

import pytest

from diagnosis.redaction_marks import holds_redaction, is_redaction


@pytest.mark.parametrize(
    "text", ["[REDACTED]", "REDACTED", "***", "*****", "<masked>", "{removed}", " [filtered] ", "[***]"]
)
def test_a_whole_value_that_is_a_mark(text: str) -> None:
    assert is_redaction(text)


@pytest.mark.parametrize("text", ["", "*", "acme", "redacted-inc", "a***", "[acme]", "unmasked"])
def test_a_value_that_is_none(text: str) -> None:
    assert not is_redaction(text)


@pytest.mark.parametrize(
    "uri",
    [
        "report://[REDACTED]/2025-10",
        "report://***/2025-10",
        "report://REDACTED/2025-10",
        "report://acme/REDACTED",
        "report://%5Bredacted%5D/x",
        "report://%3Cmasked%3E/x",
        "report://%7Bremoved%7D/x",
        "report://<hidden>/x",
    ],
)
def test_a_uri_with_a_mark_in_it(uri: str) -> None:
    assert holds_redaction(uri)


@pytest.mark.parametrize(
    "uri", ["report://acme/*", "report://**/x", "report://redacted/x", "report://UNREDACTED/x", "report://masked/x", ""]
)
def test_a_uri_without(uri: str) -> None:
    assert not holds_redaction(uri)
