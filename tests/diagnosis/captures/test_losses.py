"""What each format says it does not keep: a lost fact proves nothing, so none may be left unsaid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from diagnosis.captures import CAPTURE_FORMATS
from diagnosis.captures.message import ALTERED, Loss
from tests.diagnosis.captures.reading import messages, read
from tests.diagnosis.captures.recorders import ASK, lines, snooped
from tests.diagnosis.captures.samples import samples

ID = frozenset({Loss.ID})
# Of every format that does not keep a message as it was sent; the others hold the message itself.
LOST = {
    "toolhive-audit": frozenset({Loss.ID}),
    "mcp-trace": frozenset({Loss.ID, Loss.URI}),
    "agent-transcript-claude-code": ID,
    "agent-transcript-codex": ID,
    "agent-transcript-cline": ID,
    "fastmcp-logging": ID | {Loss.DOCUMENT, Loss.ECHO},
    "gateway-access": ID,
    "mcp-debugger": ID,
    "mcp-tap": ID,
    "mcpsnoop-har": ID,
    "otlp-traces": ID,
    "rmcp-debug": ID,
}


@pytest.mark.parametrize("name", [each.name for each in CAPTURE_FORMATS])
def test_every_format_says_what_it_does_not_keep(tmp_path: Path, name: str) -> None:
    own = [message for owner, data in samples() if owner == name for message in messages(read(tmp_path, data, name))]
    assert own
    assert {loss for message in own for loss in message.losses} == LOST.get(name, frozenset())


@pytest.mark.parametrize("key", ["truncated", "redacted"])
@pytest.mark.parametrize(
    ("flag", "lost"),
    [
        *((flag, True) for flag in (True, 1, 4096, "true", "yes", "params.uri", ["params.uri"], {"at": 1000})),
        *((flag, False) for flag in (False, None, 0, "", "false", "No", "0", [], {})),
    ],
)
def test_a_flag_that_does_not_say_no_makes_the_record_lossy(tmp_path: Path, key: str, flag: Any, lost: bool) -> None:
    losses = ALTERED if lost else ()
    enveloped = lines({"dir": "c2s", "message": ASK, key: flag})
    deep = lines({"request_body": ASK, key: flag})
    for data, name in ((enveloped, "enveloped"), (deep, "wrapped-field"), (lines(snooped(ASK, **{key: flag})), None)):
        assert [each.losses for each in messages(read(tmp_path, data, name))] == [losses]
    access = lines({"mcp_method": "resources/read", "mcp_name": "docs://a", key: flag})
    (request,) = messages(read(tmp_path, access))
    assert request.losses == (Loss.ID, *((Loss.URI,) if lost else ()))
