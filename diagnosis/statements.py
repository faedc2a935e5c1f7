"""What a person states beside the captures: a policy, templates, and words given on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diagnosis.callers.policy import Policy


class StatementError(ValueError):
    """A policy or template file, or a word on the command line, that cannot be used; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Statements:
    """What the person states beside the captures.

    `templates` are given templates (RFC 6570 text). `stated` are the `--allow` and `--template` words as typed;
    what they say is in `policy` and `templates` already.
    """

    policy: Policy = Policy()
    policy_path: str | None = None
    templates: tuple[str, ...] = ()
    templates_path: str | None = None
    stated: tuple[str, ...] = ()


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
    raise NotImplementedError
