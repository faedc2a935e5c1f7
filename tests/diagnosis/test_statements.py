"""What a person states: policy and template files, and words on the command line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis import diagnose
from diagnosis.callers.policy import Policy, PolicyPrincipal
from diagnosis.questions.readings import replaced
from diagnosis.statements import (
    StatementError,
    Statements,
    load_policy,
    load_statements,
    load_templates,
    parse_allow,
)

SAMPLES = Path(__file__).parents[2] / "sample_traces"


def written(folder: Path, value: Any, name: str = "file.json") -> str:
    path = folder / name
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return str(path)


def stated(who: str, *tenants: str, name: str | None = None) -> PolicyPrincipal:
    return PolicyPrincipal(name or who, (who,), (who,), tenants, stated=True)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("acme", stated("*", "acme", name="every caller")),
        ("acme,globex", stated("*", "acme", "globex", name="every caller")),
        ("ana=acme", stated("ana", "acme")),
        (" ana = acme , globex ,", stated("ana", "acme", "globex")),
        ("auth0|ana=acme", stated("auth0|ana", "acme")),
        ("id=7=acme", stated("id=7", "acme")),
        ("*=acme", stated("*", "acme", name="every caller")),
    ],
)
def test_allow(word: str, expected: PolicyPrincipal) -> None:
    assert parse_allow(word) == expected


@pytest.mark.parametrize("word", ["", "=", "=acme", "  =acme", "ana=", ",", "ana= , "])
def test_allow_that_names_nobodys_tenant(word: str) -> None:
    with pytest.raises(StatementError) as caught:
        parse_allow(word)
    assert str(caught.value) == f"--allow {word} names nobody's tenant: write [WHO=]TENANT[,TENANT]."


@pytest.mark.parametrize("word", ["*", "s1=*", "s1=acme, *", "*=*"])
def test_allow_takes_no_asterisk_for_a_tenant(word: str) -> None:
    with pytest.raises(StatementError) as caught:
        parse_allow(word)
    assert str(caught.value) == (
        f"--allow {word} cannot be used: `*` is no tenant's name; "
        'a caller who may see every tenant has "admin": true in a policy file.'
    )


def test_words_about_one_caller_add_up() -> None:
    found = load_statements(allow=["ana=acme", "globex", "ana=initech,acme", "hooli"])
    assert found.policy.principals == (
        stated("ana", "acme", "initech"),
        stated("*", "globex", "hooli", name="every caller"),
    )
    assert found.stated == ("--allow ana=acme", "--allow globex", "--allow ana=initech,acme", "--allow hooli")


def test_both_ways_to_speak_of_every_caller_add_up() -> None:
    found = load_statements(allow=["acme", "*=globex"])
    assert found.policy.principals == (stated("*", "acme", "globex", name="every caller"),)


def test_words_come_before_the_files(tmp_path: Path) -> None:
    policy = written(tmp_path, {"principals": [{"id": "bo"}], "shared_tenants": ["public"]}, "policy.json")
    given = written(tmp_path, {"templates": ["b://{x}", "a://{x}"]}, "templates.json")
    found = load_statements(policy, given, ["ana=acme"], ["a://{x}"])
    assert found == Statements(
        policy=Policy((stated("ana", "acme"), PolicyPrincipal("bo")), shared_tenants=("public",)),
        policy_path=policy,
        templates=("a://{x}", "b://{x}"),
        templates_path=given,
        stated=("--allow ana=acme", "--template a://{x}"),
        policy_sha256=hashlib.sha256(Path(policy).read_bytes()).hexdigest(),
        templates_sha256=hashlib.sha256(Path(given).read_bytes()).hexdigest(),
    )


def test_nothing_stated() -> None:
    assert load_statements() == Statements()


LISTED = {"resourceTemplates": [{"uriTemplate": "a://{x}", "name": "one"}, {"uriTemplate": "b://{x}"}]}


@pytest.mark.parametrize(
    "value",
    [
        {"templates": ["a://{x}", "b://{x}"]},
        LISTED,
        {"jsonrpc": "2.0", "id": 1, "result": LISTED},
        {"templates": [{"uriTemplate": "a://{x}"}, "b://{x}"]},
    ],
)
def test_the_shapes_of_a_template_file(tmp_path: Path, value: object) -> None:
    assert load_templates(written(tmp_path, value)) == ("a://{x}", "b://{x}")


@pytest.mark.parametrize(
    "value", [{}, 5, None, {"templates": None}, {"templates": {}}, {"templates": [5]}, {"resourceTemplates": [{}]}]
)
def test_a_template_file_without_templates(tmp_path: Path, value: object) -> None:
    path = written(tmp_path, value)
    with pytest.raises(StatementError) as caught:
        load_templates(path)
    assert str(caught.value).startswith(f"The template file {path} holds neither ")


@pytest.mark.parametrize("data", [b"", b"a://{x}\n", b"[" * 100_000])
def test_a_template_file_that_is_not_json(tmp_path: Path, data: bytes) -> None:
    path = written(tmp_path, data)
    with pytest.raises(StatementError) as caught:
        load_templates(path)
    assert str(caught.value) == f"The template file {path} is not JSON."


def test_a_template_that_does_not_parse(tmp_path: Path) -> None:
    for load in (
        lambda: load_statements(templates=["a://{x"]),
        lambda: load_templates(written(tmp_path, {"templates": ["a://{x"]})),
    ):
        with pytest.raises(StatementError, match=r"^The template a://\{x cannot be used: [^\n]*[^.]\.$"):
            load()


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert load_policy(written(tmp_path, b'\xef\xbb\xbf{"principals": []}')) == Policy()


def test_a_policy_that_is_none(tmp_path: Path) -> None:
    path = written(tmp_path, {"principals": [], "tenants": []})
    with pytest.raises(StatementError) as caught:
        load_policy(path)
    assert str(caught.value) == (f"The policy file {path} cannot be used: tenants: Extra inputs are not permitted.")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    sentences = []
    for path in (str(tmp_path / "none.json"), str(tmp_path), "a\0b", written(tmp_path, b"\xff\xfe{\x00}\x00")):
        with pytest.raises(StatementError) as caught:
            load_policy(path)
        sentences.append(str(caught.value).replace(path, "PATH"))
    assert sentences == [
        "The policy file PATH cannot be read: No such file or directory.",
        "The policy file PATH cannot be read: Is a directory.",
        "The policy file PATH cannot be read: embedded null byte.",
        "The policy file PATH is not UTF-8 text.",
    ]


def test_a_file_without_end_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diagnosis.statements._FILE_LIMIT", 2**20)
    path = written(tmp_path, b" " * (2**20 + 1))
    with pytest.raises(StatementError, match=r"is larger than 1 MiB\.$"):
        load_policy(path)
    assert load_policy(written(tmp_path, b'{"principals": []}'.ljust(2**20))) == Policy()


def test_a_given_template_that_takes_the_place_of_listed_ones_is_said() -> None:
    given = ["report://{tenant}/{month}", "docs://{+path}", "mail://{id}"]
    statements = load_statements(templates=given)
    sentences = diagnose([str(SAMPLES / "all-three.jsonl")], statements).limits
    assert sentences == (
        "The given template `report://{tenant}/{month}` takes the place of listed ones with the same beginning: 1.",
    )
    assert replaced(["a://{x}", "a:///{y}", "b://{x}"], ["a://{z}", "b://{x}", "c://{x}"]) == {"a://{z}": 2}
