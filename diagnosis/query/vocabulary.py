"""The words with one meaning that a filter can ask for: verdicts, reasons, rules."""

from __future__ import annotations

from diagnosis.questions.rules import RULES

# The verdicts and reasons of each question, in the order of docs/rules.md; a test compares them with that page.
SEGMENTS = (
    *("intact", "escaped", "cannot_tell"),
    *("strict", "listed", "extra-separator", "smuggled-parameter", "raw-reserved", "illegal-character"),
    *("form-encoded", "unexpanded", "no-template", "no-template-explains", "no-uri", "lossy"),
)
DOCUMENT = (
    *("match", "mismatch", "cannot_tell"),
    *("fields-agree", "decoded-twice", "decoded-across-segments", "decoded-before-split", "echo-decoded-twice"),
    *("double-encode", "differs", "echo-only", "echo-ambiguous", "alias", "sub-resources", "no-variables"),
    *("several-readings", "no-document", "unreadable-document", "no-answer", "lossy"),
)
PRINCIPAL = (
    *("allowed", "not_checked", "refused", "cannot_tell"),
    *("inside-allowed", "inside-allowed-by-claim", "shared", "administrator", "outside-allowed"),
    *("outside-allowed-by-claim", "forbidden", "contrast", "not-found", "no-answer", "no-document"),
    *("no-principal", "unknown-session", "inherited-only", "no-allowed-set", "claim-incomparable", "ambiguous-tenant"),
    *("no-template", "no-tenant", "case-only", "alias", "elevated", "several-readings", "lossy"),
)

RULE_IDS = tuple(rule.id for rule in RULES)
# A rule's id is a path, and each beginning of it names all rules below.
RULE_PATHS = tuple(dict.fromkeys((*(name.partition("/")[0] for name in RULE_IDS), *RULE_IDS)))
REMARKS = tuple(name.removeprefix("remark/") for name in RULE_IDS if name.startswith("remark/"))
