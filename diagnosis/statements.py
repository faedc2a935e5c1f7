"""What a person states beside the captures: a policy, templates, and words given on the command line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from diagnosis.callers.policy import ALL_TENANTS, NO_TENANT, Policy, PolicyError, PolicyPrincipal, parse_policy
from diagnosis.uris.templates import TemplateError, parse

_FILE_LIMIT = 16 * 1024 * 1024  # bytes; a policy for 100,000 principals is about 10 MB


class StatementError(ValueError):
    """A policy or template file, or a word on the command line, that cannot be used; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Statements:
    """What the person states beside the captures.

    `templates` are given templates (RFC 6570 text). `stated` are the `--allow` and `--template` words as typed;
    what they say is in `policy` and `templates` already. The hashes are SHA-256 (hex) of the files as they were
    loaded, "" where there was no file.
    """

    policy: Policy = field(default_factory=Policy)
    policy_path: str | None = None
    templates: tuple[str, ...] = ()
    templates_path: str | None = None
    stated: tuple[str, ...] = ()
    policy_sha256: str = ""
    templates_sha256: str = ""


def load_statements(
    policy_path: str | None = None,
    templates_path: str | None = None,
    allow: Sequence[str] = (),
    templates: Sequence[str] = (),
) -> Statements:
    """Reads the policy and template files and the words given with `--allow` and `--template`.

    Raises:
        StatementError: a file is missing, is not what it should be, or a word does not parse.
    """
    policy, policy_sha256 = _policy(policy_path) if policy_path else (Policy(), "")
    given, templates_sha256 = _templates(templates_path) if templates_path else ((), "")
    for text in templates:
        check_template(text)
    callers = joined(parse_allow(word) for word in allow)
    return Statements(
        policy=replace(policy, principals=callers + policy.principals),
        policy_path=policy_path,
        templates=tuple(dict.fromkeys((*templates, *given))),
        templates_path=templates_path,
        stated=tuple(f"--allow {word}" for word in allow) + tuple(f"--template {text}" for text in templates),
        policy_sha256=policy_sha256,
        templates_sha256=templates_sha256,
    )


def joined(callers: Iterable[PolicyPrincipal]) -> tuple[PolicyPrincipal, ...]:
    """One principal for each caller: of `--allow ana=acme --allow ana=globex` both count."""
    joined: dict[str, PolicyPrincipal] = {}
    for each in callers:
        known = joined.get(each.id)
        tenants = (*(known.allowed_tenants or () if known else ()), *(each.allowed_tenants or ()))
        joined[each.id] = replace(each, allowed_tenants=tuple(dict.fromkeys(tenants)))
    return tuple(joined.values())


def load_policy(path: str) -> Policy:
    """Reads a policy file.

    Raises:
        StatementError: the file cannot be read or is no policy.
    """
    return _policy(path)[0]


def _policy(path: str) -> tuple[Policy, str]:
    """A policy and the hash of the file that it was read from, by one reading of it."""
    text, sha256 = _text(path, "policy")
    try:
        return parse_policy(text), sha256
    except PolicyError as error:
        raise StatementError(f"The policy file {path} cannot be used: {error}.") from None


def load_templates(path: str) -> tuple[str, ...]:
    """Reads a template file: `{"templates": [...]}`, or a saved `resources/templates/list` result or response.

    Raises:
        StatementError: the file cannot be read, has no templates in it, or holds one that does not parse.
    """
    return _templates(path)[0]


def _templates(path: str) -> tuple[tuple[str, ...], str]:
    """Templates and the hash of the file that they were read from, by one reading of it."""
    text, sha256 = _text(path, "template")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise StatementError(f"The template file {path} is not JSON.") from None
    texts = _template_texts(value)
    if texts is None:
        raise StatementError(
            f'The template file {path} holds neither {{"templates": [...]}} nor a resources/templates/list result.'
        )
    for each in texts:
        check_template(each)
    return texts, sha256


def _template_texts(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, dict) and isinstance(value.get("result"), dict):
        value = value["result"]
    if isinstance(value, dict):
        value = value.get("templates", value.get("resourceTemplates"))
    if not isinstance(value, list):
        return None
    texts = [each.get("uriTemplate") if isinstance(each, dict) else each for each in value]
    return tuple(map(str, texts)) if all(isinstance(text, str) for text in texts) else None


def check_template(text: str) -> None:
    """Refuses what is no RFC 6570 template.

    Raises:
        StatementError: it does not parse; the sentence says where.
    """
    try:
        parse(text)
    except TemplateError as error:
        raise StatementError(f"The template {text} cannot be used: {error}.") from None


def parse_allow(word: str) -> PolicyPrincipal:
    """Reads one `--allow [WHO=]TENANT[,TENANT]`; without WHO it speaks of every caller in these captures.

    Raises:
        StatementError: the word names no tenant, or `*` as one.
    """
    who, separator, tenants = word.rpartition("=")
    who = who.strip()
    names = tuple(name for name in (part.strip() for part in tenants.split(",")) if name)
    if not names or (separator and not who):
        raise StatementError(f"--allow {word} names nobody's tenant: write [WHO=]TENANT[,TENANT].")
    if ALL_TENANTS in names:
        raise StatementError(f"--allow {word} cannot be used: {NO_TENANT}.")
    return stated_caller(who or "*", names)


def stated_caller(who: str, tenants: Sequence[str]) -> PolicyPrincipal:
    """What a person says of one caller: WHO is a principal, subject, session or capture stem, `"*"` every caller."""
    return PolicyPrincipal(
        # One name for everybody, however it was written: what is said of everybody must add up.
        id="every caller" if who == "*" else who,
        sessions=(who,),
        subjects=(who,),
        allowed_tenants=tuple(tenants),
        stated=True,
    )


def _text(path: str, what: str) -> tuple[str, str]:
    """The text of a file and the SHA-256 (hex) of its bytes."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(_FILE_LIMIT + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = getattr(error, "strerror", None) or error
        raise StatementError(f"The {what} file {path} cannot be read: {why}.") from None
    if len(data) > _FILE_LIMIT:
        raise StatementError(f"The {what} file {path} is larger than {_FILE_LIMIT // 2**20} MiB.")
    try:
        return data.decode("utf-8-sig"), hashlib.sha256(data).hexdigest()
    except UnicodeDecodeError:
        raise StatementError(f"The {what} file {path} is not UTF-8 text.") from None
