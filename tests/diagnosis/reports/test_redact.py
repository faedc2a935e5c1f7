from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnosis.reports.redact import Labels, blot_uri, mask_emails, mask_secrets, mask_text, mask_uri, replace_values

JWT = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJl"


@pytest.mark.parametrize(
    ("uri", "masked"),
    [
        ("report://northwind/2025-10?limit=5", "report://northwind/2025-10?limit=5"),
        ("db://ana:hunter2@host/x", "db://ana:[password-1]@host/x"),
        ("db://ana@host/x:y", "db://ana@host/x:y"),
        ("db://ana:@host/x", "db://ana:@host/x"),
        (
            "http://h/x?a=1&access_token=abc&b=2#code=xyz",
            "http://h/x?a=1&access_token=[token-1]&b=2#code=[token-2]",
        ),
        ("http://h/x?Api_Key=abc;sig=abc", "http://h/x?Api_Key=[key-1];sig=[key-1]"),
        ("http://h/x?to%6ben=abc", "http://h/x?to%6ben=[token-1]"),
        ("http://h/x?token=", "http://h/x?token="),
        ("http://h/token=abc", "http://h/token=[token-1]"),
        ("http://h/x?a=b?password=c/d", "http://h/x?a=b?password=[password-1]"),
        (f"docs://{JWT}/x", f"docs://{JWT.rpartition('.')[0]}.[signature-1]/x"),
        (f"docs://x?token={JWT}", "docs://x?token=[token-1]"),
        ("report://ghp_0123456789abcdefghijABCDEFGHIJ/x", "report://[token-1]/x"),
        ("report://AKIAABCDEFGHIJKLMNOP/sk-team", "report://[key-1]/sk-team"),
        ("docs://a\ud800\x1b?key=\ud800", "docs://a\ud800\x1b?key=[key-1]"),
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
    assert blot_uri("d://h?token=abcdefghijklm", Labels()) == "d://h?token=token-1~~~~~~"


def test_a_secret_is_hidden_in_sentences_also_decoded() -> None:
    mask = mask_secrets(["http://h/x?token=a%2Fb%2Fc"], Labels())
    assert mask("It holds a%2Fb%2Fc, which is a/b/c.") == "It holds [token-1], which is [token-1]."


def test_the_beginning_of_a_secret_in_a_cut_quote() -> None:
    mask = mask_secrets(["http://h/x?token=abcdefghij"], Labels())
    assert mask("It was `http://h/x?token=abcde…` as sent.") == "It was `http://h/x?token=[token-1]…` as sent."


def test_a_secret_as_sentences_quote_it() -> None:
    mask = mask_secrets(["http://h/x?token=abc\x1bdef"], Labels())
    assert mask("It was `abc\\u{1b}def`.") == "It was `[token-1]`."


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
    assert labels.of("token", "c") == "[token-1]"
    assert labels.counts() == {"token": 1, "session": 2}
    assert labels.summary() == "1 token, 2 session ids"
    assert Labels().summary() == "nothing"


def test_a_value_has_one_label_wherever_it_stands_and_however_it_is_encoded() -> None:
    labels = Labels()
    assert labels.of("password", "hunter2") == "[password-1]"
    assert [labels.of("token", value) for value in ("hunter2", "%68unter2", "%2568unter2")] == ["[password-1]"] * 3
    assert labels.counts() == {"password": 1}


GITHUB = "ghp_0123456789abcdefghijABCDEFGHIJ"


@pytest.mark.parametrize(
    ("uri", "masked"),
    [
        ("docs://a;token=abc/x", "docs://a;token=[token-1]"),
        ("docs://a?%74oken=abc", "docs://a?%74oken=[token-1]"),
        ("docs://a?%2574oken=abc", "docs://a?%2574oken=[token-1]"),
        ("docs://a%3Ftoken%3Dabc%26b%3D1/c", "docs://a%3Ftoken%3D[token-1]%26b%3D1/c"),
        ("docs://a?token={token}&b=1", "docs://a?token={token}&b=1"),
        (f"docs://a%2F{GITHUB}", "docs://a%2F[token-1]"),
        (f"docs://a/{GITHUB.replace('_', '%5F')}/b", "docs://a/[token-1]/b"),
        (f"docs://a/{GITHUB.replace('_', '%255F')}/b", "docs://a/[token-1]/b"),
        ("docs://a/AIza0123456789abcdefghijABCDEFGHIJ01234", "docs://a/[key-1]"),
        ("docs://a/eyJhIn0.eyJiIn0.aaaa.bbbb.cccc/d", "docs://a/eyJhIn0.eyJiIn0.[signature-1]/d"),
        # A token or a name with another word in front, and names of several words
        (f"docs://a/backup-{GITHUB}/x", "docs://a/backup-[token-1]/x"),
        (f"docs://a/x_{GITHUB}", "docs://a/x_[token-1]"),
        ("docs://a/my-password=hunter2/x", "docs://a/my-password=[password-1]"),
        ("docs://a?user_token=A&db_password=B&c=1", "docs://a?user_token=[token-1]&db_password=[password-1]&c=1"),
        ("docs://a?authToken=A&clientSecret=B", "docs://a?authToken=[token-1]&clientSecret=[secret-1]"),
        (
            "docs://a?AWSAccessKeyId=A&X-Amz-Security-Token=B",
            "docs://a?AWSAccessKeyId=[key-1]&X-Amz-Security-Token=[token-1]",
        ),
        ("docs://a?x[token]=A&t%5Bsid%5D=B", "docs://a?x[token]=[token-1]&t%5Bsid%5D=[secret-1]"),
        ("docs://a;JSESSIONID=A", "docs://a;JSESSIONID=[secret-1]"),
        (
            "docs://a?session=A&pass=B&code_verifier=C",
            "docs://a?session=[secret-1]&pass=[password-1]&code_verifier=[secret-2]",
        ),
        # Encoded more than once, and an account whose password holds any character
        (f"docs://a/{GITHUB.replace('_', '%25255F')}/b", "docs://a/[token-1]/b"),
        ("docs://a/https%3A%2F%2Fbob%3AS%23p%20w%40h%2F/b", "docs://a/[password-1]/b"),
        # Words that only look like such names
        (
            "docs://a?sort_key=A&tokenizer=B&passage=C&session_count=3",
            "docs://a?sort_key=A&tokenizer=B&passage=C&session_count=3",
        ),
    ],
)
def test_secrets_that_hide_in_a_uri(uri: str, masked: str) -> None:
    assert mask_uri(uri, Labels()) == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("db postgres://svc:hunter2@db.example/x failed", "db postgres://svc:[password-1]@db.example/x failed"),
        ("stack: token=abc, then", "stack: token=[token-1] then"),
        ("Authorization: Bearer abc123def456", "Authorization: Bearer [token-1]"),
        ("sent Bearer abc123def456 twice", "sent Bearer [token-1] twice"),
        ('{"password":"hunter2","b":1}', '{"password":"[password-1]","b":1}'),
        ("X-Api-Key: k-1", "X-Api-Key: [key-1]"),
        ("Cookie: sid=1; theme=dark", "Cookie: [secret-1]"),
        ("-----BEGIN PRIVATE KEY-----\\u{a}MIIB\\u{a}-----END PRIVATE KEY----- ok", "[key-1] ok"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIB", "[key-1]"),
        (f"key {GITHUB} and {GITHUB}", "key [token-1] and [token-1]"),
        ("Cookie: theme=dark; session=S1", "Cookie: [secret-1]"),
        ("Set-Cookie: a=1; Path=/\nHost: h", "Set-Cookie: [secret-1]\nHost: h"),
        (r'{"body": "{\"access_token\":\"T0k3n\"}"}', r'{"body": "{\"access_token\":\"[token-1]\"}"}'),
        (r'"password": "a\b"', r'"password": "[password-1]"'),
        (
            '{"session":"s-71","code":"K","token":"T"}',
            '{"session":"[secret-1]","code":"[token-1]","token":"[token-2]"}',
        ),
        ("user_token: abc", "user_token: [token-1]"),
        # What is quoted is hidden up to its quote, whatever stands in it.
        ('{"password":"correct horse,battery; it\'s"}', '{"password":"[password-1]"}'),
        ("password='a b' and password=\"c d\"", "password='[password-1]' and password=\"[password-2]\""),
        (r'{"m": "{\"password\":\"a b, c\",\"x\":1}"}', r'{"m": "{\"password\":\"[password-1]\",\"x\":1}"}'),
        ('"api_key": "cut of', '"api_key": "[key-1]'),
        ('"password": "a\\"b c", "d": 1', '"password": "[password-1]", "d": 1'),
        # Our own words, and what is hidden already
        ("policy: session `s-71`; the session: three reads", "policy: session `s-71`; the session: three reads"),
        (
            "The variable `token` holds `abc`; basic authentication",
            "The variable `token` holds `abc`; basic authentication",
        ),
        ("an error, code: `-32002`", "an error, code: `-32002`"),
        ("It was `x?token=[token-7]` as sent.", "It was `x?token=[token-7]` as sent."),
    ],
)
def test_secrets_in_text(text: str, masked: str) -> None:
    assert mask_text(text, Labels()) == masked


def test_equal_secrets_have_equal_labels_however_they_stand() -> None:
    labels = Labels()
    uris = [f"docs://a/{GITHUB}", f"docs://a/x%2F{GITHUB}", f"docs://a?token={GITHUB}", f"https://u:{GITHUB}@h/"]
    assert [mask_uri(uri, labels).count("[token-1]") for uri in uris] == [1, 1, 1, 1]
    assert labels.counts() == {"token": 1}


@pytest.mark.parametrize(
    "address",
    [
        "ana@corp.example",
        "ana%40corp.example",
        "ana%40corp%2Eexample",
        "ana%2540corp.example",
        "%61na%40corp.example",
        "%61n%61@corp.example",
    ],
)
def test_an_address_has_one_label_however_it_is_spelled(address: str) -> None:
    labels = Labels()
    labels.of("email", "ana@corp.example")
    assert mask_emails(f"docs://a/{address}/x", labels) == "docs://a/[email-1]/x"
    assert blot_uri(f"docs://a/{address}/x", labels) == "docs://a/" + "email-1".ljust(len(address), "~") + "/x"


def test_an_address_may_have_a_quoted_part() -> None:
    assert mask_emails("docs://a/%22ana%20work%22%40corp.example/x", Labels()) == "docs://a/[email-1]/x"


def test_an_address_may_have_letters_of_any_script() -> None:
    assert mask_emails("an jürgen.k@münchen.example!", Labels()) == "an [email-1]!"


@given(st.text(alphabet="aeyJgh_po.%25=&;:/?@ -{}[]1", max_size=60))
def test_masking_again_changes_nothing(text: str) -> None:
    labels = Labels()
    once = mask_text(text, labels)
    assert mask_text(once, labels) == once


@pytest.mark.parametrize(
    "piece", ["?token=", "%25", "eyJ.", "token=a&", "://a:b@", "bearer ", "aaaa", "-----BEGIN PRIVATE KEY-----"]
)
def test_the_time_to_mask_grows_with_the_text_only(piece: str) -> None:
    def seconds(times: int) -> float:
        text = piece * (times // len(piece))
        start = perf_counter()
        mask_uri(text, Labels())
        mask_text(text, Labels())
        return perf_counter() - start

    # A quadratic search takes 64 times as long for eight times the text; the floor keeps a busy machine out of it.
    few = max(min(seconds(20_000) for _ in range(3)), 0.01)
    assert min(seconds(160_000) for _ in range(3)) < 24 * few
