from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.reports.redact import Labels, blot_uri, mask_emails, mask_secrets, mask_uri, replace_values

JWT = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    ("uri", "masked"),
    [
        ("report://northwind/2025-10?limit=5", "report://northwind/2025-10?limit=5"),
        ("db://ana:hunter2@host/x", "db://ana:[secret-1]@host/x"),
        ("db://ana@host/x:y", "db://ana@host/x:y"),
        ("db://ana:@host/x", "db://ana:@host/x"),
        (
            "http://h/x?a=1&access_token=abc&b=2#code=xyz",
            "http://h/x?a=1&access_token=[secret-1]&b=2#code=[secret-2]",
        ),
        ("http://h/x?Api_Key=abc;sig=abc", "http://h/x?Api_Key=[secret-1];sig=[secret-1]"),
        ("http://h/x?to%6ben=abc", "http://h/x?to%6ben=[secret-1]"),
        ("http://h/x?token=", "http://h/x?token="),
        ("http://h/token=abc", "http://h/token=abc"),
        ("http://h/x?a=b?password=c/d", "http://h/x?a=b?password=[secret-1]"),
        (f"docs://{JWT}/x", f"docs://{JWT.rpartition('.')[0]}.[secret-1]/x"),
        (f"docs://x?token={JWT}", "docs://x?token=[secret-1]"),
        ("report://ghp_0123456789abcdefghijABCDEFGHIJ/x", "report://[secret-1]/x"),
        ("report://AKIAABCDEFGHIJKLMNOP/sk-team", "report://[secret-1]/sk-team"),
        ("docs://a\ud800\x1b?key=\ud800", "docs://a\ud800\x1b?key=[secret-1]"),
    ],
)
def test_secrets_are_masked_in_place(uri: str, masked: str) -> None:
    assert mask_uri(uri, Labels()) == masked


@given(st.text(alphabet="ab:/?#@=&;%.t", max_size=40))
def test_a_covered_uri_keeps_its_length(text: str) -> None:
    uri = f"db://u:pa@h/{text}?token=abcdefghijklmnop&m=ana@acme.example"
    covered = blot_uri(uri, Labels())
    assert len(covered) == len(uri)
    assert "abcdefghijklmnop" not in covered
    assert "ana@acme.example" not in covered


def test_covering_leaves_other_uris_alone() -> None:
    assert blot_uri("docs://team/a%40b/x", Labels()) == "docs://team/a%40b/x"
    assert blot_uri("d://h?token=abcdefghijklm", Labels()) == "d://h?token=secret-1~~~~~"


def test_a_secret_is_hidden_in_sentences_also_decoded() -> None:
    mask = mask_secrets("http://h/x?token=a%2Fb%2Fc", Labels())
    assert mask("It holds a%2Fb%2Fc, which is a/b/c.") == "It holds [secret-1], which is [secret-1]."


def test_the_beginning_of_a_secret_in_a_cut_quote() -> None:
    mask = mask_secrets("http://h/x?token=abcdefghij", Labels())
    assert mask("It was `http://h/x?token=abcde…` as sent.") == "It was `http://h/x?token=[secret-1]…` as sent."


def test_a_secret_as_sentences_quote_it() -> None:
    mask = mask_secrets("http://h/x?token=abc\x1bdef", Labels())
    assert mask("It was `abc\\u{1b}def`.") == "It was `[secret-1]`."


def test_short_values_are_replaced_as_words_only() -> None:
    assert replace_values("a cat sat on a", [("a", "[secret-1]")]) == "[secret-1] cat sat on [secret-1]"
    assert replace_values("s1-x s1 s10", [("s1", "session-1")]) == "s1-x session-1 s10"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("mail ana@acme.example now", "mail [email-1] now"),
        ("user://ana%40acme.example/x", "user://[email-1]/x"),
        ("user://ana%2540acme.example/x", "user://[email-1]/x"),
        ("a%20ana@acme.example", "a%20[email-1]"),
        ("Ana@acme.example ana@acme.example b@acme.example", "[email-1] [email-1] [email-2]"),
        ("a@b", "a@b"),
        ("404 is no address", "404 is no address"),
    ],
)
def test_email_addresses(text: str, masked: str) -> None:
    assert mask_emails(text, Labels()) == masked


def test_labels_count_different_values() -> None:
    labels = Labels()
    assert [labels.of("session", name) for name in ("a", "b", "a")] == ["session-1", "session-2", "session-1"]
    assert labels.of("secret", "a") == "[secret-1]"
    assert labels.counts() == {"secret": 1, "session": 2}
