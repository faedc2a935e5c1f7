"""YAML and front matter, read as events: nothing is expanded, nothing is converted."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from diagnosis.reads.documents import DEPTH_LIMIT, FIELD_LIMIT, TEXT_LIMIT, document
from diagnosis.reads.read import Document, DocumentKind, FieldValue

YAML = "application/yaml"


def fields(text: str) -> dict[str, FieldValue]:
    found = document(text, None, YAML)
    assert found.kind is DocumentKind.YAML
    return dict(found.fields)


def matter(text: str, media_type: str | None = "text/markdown") -> Document:
    return document(text, None, media_type)


def test_scalars_stay_text() -> None:
    text = "a: 012\nb: true\nc: 1.0\nd: 2025-10-01\ne: 'x'\nf: |\n  y\n"
    expected = {"a": "012", "b": "true", "c": "1.0", "d": "2025-10-01", "e": "x", "f": "y\n"}
    assert fields(text) == expected


@pytest.mark.parametrize("null", ["", " ~", " null", " Null", " NULL"])
def test_nulls_name_nothing(null: str) -> None:
    assert fields(f"tenant:{null}\n") == {"tenant": None}


@pytest.mark.parametrize(("text", "value"), [("''", ""), ("'null'", "null"), ('"~"', "~"), ("nil", "nil")])
def test_quoted_nulls_are_text(text: str, value: str) -> None:
    assert fields(f"tenant: {text}\n") == {"tenant": value}


def test_lists_of_scalars_are_kept_and_nested_values_are_not() -> None:
    text = "a: [x, 1, ~]\nb:\n  - y\nc: [x, [z]]\nd: {x: y}\ne:\n  - x: y\nf: []\ng: z\n"
    assert fields(text) == {"a": ("x", "1", None), "b": ("y",), "f": (), "g": "z"}


def test_a_single_key_is_not_looked_under() -> None:
    assert fields("report:\n  tenant: acme\n") == {}


@pytest.mark.parametrize("key", ["? [a, b]\n: tenant\n", "? {a: b}\n: tenant\n", "{a: b}: tenant\n", "*k : tenant\n"])
def test_a_key_that_is_no_scalar_does_not_shift_the_values(key: str) -> None:
    anchor = "z: &k w\n" if key.startswith("*") else ""
    found = fields(f"{anchor}{key}acme: northwind\n")
    found.pop("z", None)
    assert found == {"acme": "northwind"}


def test_the_last_of_two_equal_keys_counts() -> None:
    assert fields("tenant: acme\ntenant: globex\n") == {"tenant": "globex"}
    assert fields("tenant: acme\ntenant: {a: b}\n") == {}


def test_aliases_are_not_looked_up() -> None:
    assert fields("a: &x acme\ntenant: *x\nb: [*x]\n") == {"a": "acme", "tenant": None, "b": (None,)}


def test_a_bomb_of_aliases_is_harmless() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for one, other in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{other}: &{other} [{', '.join([f'*{one}'] * 9)}]")
    found = fields("\n".join([*lines, "tenant: acme"]))
    assert found["tenant"] == "acme"
    assert found["i"] == (None,) * 9


def test_tags_are_not_followed() -> None:
    assert fields("a: !!python/object/apply:os.system [x]\ntenant: !!int acme\n") == {"a": ("x",), "tenant": "acme"}


def test_only_the_first_document_counts() -> None:
    assert fields("---\ntenant: acme\n---\ntenant: globex\n") == {"tenant": "acme"}


@pytest.mark.parametrize("text", ["- acme\n", "acme\n", "[a, b]", "# nothing\n", "a: [b"])
def test_no_mapping_no_fields(text: str) -> None:
    found = document(text, None, YAML)
    assert found.fields == ()
    assert found.why


@pytest.mark.parametrize(
    "text", ["a: [b", "\tb: c", "a: b: c", 'a: "\\UFFFFFFFF"', 'a: "\\U00110000"', "a: \x00", "%YAML 1." + "9" * 5000]
)
def test_what_does_not_parse_is_unreadable(text: str) -> None:
    assert document(text, None, YAML).kind is DocumentKind.UNREADABLE


@pytest.mark.parametrize("bracket", ["[", "{a: "])
def test_nesting_is_read_up_to_a_limit(bracket: str) -> None:
    close = {"[": "]", "{a: ": "}"}[bracket]
    within = f"tenant: acme\nb: {bracket * (DEPTH_LIMIT - 1)}{close * (DEPTH_LIMIT - 1)}\n"
    assert fields(within) == {"tenant": "acme"}
    past = f"tenant: acme\nb: {bracket * DEPTH_LIMIT}{close * DEPTH_LIMIT}\n"
    assert document(past, None, YAML).kind is DocumentKind.UNREADABLE


def test_fields_past_the_limit_are_dropped() -> None:
    assert len(fields("".join(f"k{number}: x\n" for number in range(FIELD_LIMIT + 10)))) == FIELD_LIMIT


def test_a_text_past_the_limit_is_not_parsed() -> None:
    assert document("a: b\n" + "#" * TEXT_LIMIT, None, YAML).kind is DocumentKind.UNREADABLE


@pytest.mark.parametrize("end", ["---", "..."])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_front_matter(end: str, line_break: str, mark: str) -> None:
    found = matter(mark + line_break.join(["---", "tenant: acme", end, "# Title", "tenant: globex"]))
    assert (found.kind, found.fields) == (DocumentKind.FRONT_MATTER, (("tenant", "acme"),))


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n---\ntenant: acme\n---\n",
        "---\ntenant: acme\n",
        "\n---\ntenant: acme\n---\n",
        "----\ntenant: acme\n---\n",
        "--- # tenant\ntenant: acme\n---\n",
    ],
)
def test_what_is_no_front_matter_is_text(text: str) -> None:
    assert matter(text).kind is DocumentKind.TEXT


def test_front_matter_under_any_textual_type() -> None:
    for media_type in (None, "text/plain", "text/html"):
        assert matter("---\ntenant: acme\n---\n", media_type).fields == (("tenant", "acme"),)


def test_a_form_feed_ends_no_line_of_front_matter() -> None:
    assert matter("---\ntenant: acme\x0c---\nnote: x\n---\n").kind is DocumentKind.UNREADABLE


@given(st.text(alphabet=" \n:-?[]{}&*!|>'\"%@`,#~ab\\U0\t\r\ufeff\x85", max_size=60))
def test_no_text_makes_it_raise(text: str) -> None:
    found = document(text, None, YAML)
    assert found.kind in (DocumentKind.YAML, DocumentKind.UNREADABLE, DocumentKind.EMPTY, DocumentKind.JSON)


# Lines that are plain YAML or nearly so, drawn from what YAML gives a meaning to.
names = st.sampled_from(["a", "team", "null", "Null", "true", "x-y", "9a", "a b", "n" * 64, "n" * 65, "~", "<<"])
plain = st.text("abzAZ019_-./ ", max_size=8)
odd = st.text("ab -.:'\"#,[]{}&*!|>%@`~?=\\\xe9\xa0\x85\u1fff\u2028\ufeff\t", max_size=6)
values = st.one_of(plain, odd, st.sampled_from(["null", "~", "---", "...", "0x1f", "a: b", "a  b"]))
quoted = st.one_of(plain, odd).map('"{}"'.format)
lines = st.tuples(names, st.sampled_from([": "] * 9 + [":", ":  "]), st.one_of(values, quoted)).map("".join)


@given(st.lists(lines, min_size=1, max_size=4).map("\n".join))
@example('team: "a: b"\npolicy: "x/y"\ntenant: acme')
@example("a: 1\na: 2")
@example('a: "x\x85y"')
def test_plain_lines_are_read_as_yaml_reads_them(text: str) -> None:
    """The short way against PyYAML's own composer, with which it shares no code."""
    found = document(text, None, YAML)
    try:
        node = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.composer.ComposerError:
        return  # an alias, or a second document
    except yaml.YAMLError:
        assert found.kind is DocumentKind.UNREADABLE
        return
    if not isinstance(node, yaml.MappingNode) or not all(
        isinstance(each, yaml.ScalarNode) and (each.style or each.value not in {"", "~", "null", "Null", "NULL"})
        for pair in node.value
        for each in pair
    ):
        return
    pairs = {name.value: value.value for name, value in node.value}
    assert dict(found.fields) == {name: value for name, value in pairs.items() if name}
    assert bool(found.doubt) == (len(pairs) < len(node.value) or "<<" in (*pairs, *pairs.values()))
