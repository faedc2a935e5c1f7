"""Diagnoses captured MCP sessions: why did a `resources/read` return the wrong thing?

from diagnosis import diagnose, load_statements

for judgement in diagnose(["session.jsonl"], load_statements(policy_path="policy.json")).judgements:
    print(judgement.read.uri, [answer.verdict for answer in judgement.answers])
"""

from diagnosis.diagnosis import Diagnosis, diagnose
from diagnosis.ledger import CaptureFacts, Progress, Refusal
from diagnosis.questions.findings import Answer, Finding, Remark, Rule, Verdict
from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import Read
from diagnosis.statements import StatementError, Statements, load_policy, load_statements, load_templates

__all__ = [
    "Answer",
    "CaptureFacts",
    "Diagnosis",
    "Finding",
    "Judgement",
    "Progress",
    "Read",
    "Refusal",
    "Remark",
    "Rule",
    "StatementError",
    "Statements",
    "Verdict",
    "diagnose",
    "load_policy",
    "load_statements",
    "load_templates",
]
