"""Transcripts of Claude Code: `~/.claude/projects/DIRECTORY/SESSION.jsonl`, and its stream-json output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diagnosis.captures.agent_calls import answered, asked, text_in
from diagnosis.captures.contract import Claim, Skipped, Sureness
from diagnosis.captures.message import Message
from diagnosis.captures.recordings import Record, follow, from_lines, head_lines, text_of
from diagnosis.captures.records import Beside
from diagnosis.captures.sources import Source
from diagnosis.captures.times import utc

_TOOL = "ReadMcpResourceTool"


class ClaudeCode:
    """Reads the tool calls of a transcript that read a resource."""

    name = "agent-transcript-claude-code"
    title = "Claude Code's transcripts (projects/*/SESSION.jsonl) and stream-json output"
    cannot_show = "JSON-RPC ids, template lists, HTTP headers and who the caller was; an error is text"

    def detect(self, head: bytes) -> Claim:
        """Certain with one call of the tool that reads resources; possible with any turn of a transcript."""
        turns = 0
        for value in head_lines(head):
            parts = _parts(value)
            turns += bool(parts)
            if any(_is_read(part) for part in parts):
                return Claim(Sureness.CERTAIN, f"turns of a conversation, with calls of {_TOOL}")
        if turns:
            return Claim(Sureness.POSSIBLE, f"turns of a conversation, without a call of {_TOOL} in its beginning")
        return Claim(Sureness.NO, "no line is a turn with message.content")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields a request per call and an answer per result, paired by `tool_use_id`."""
        return from_lines(source, _Turns().read)


class _Turns:
    """The calls that still wait for their result, with the server each of them went to."""

    def __init__(self) -> None:
        self._waiting: dict[str, str | None] = {}

    def read(self, record: Record) -> Sequence[Message | Skipped]:
        value = record.value
        session = text_of(value.get("sessionId")) or text_of(value.get("session_id"))
        time, basis = utc(value["timestamp"]) if "timestamp" in value else (None, "none")
        found: list[Message | Skipped] = []
        for index, part in enumerate(_parts(value)):
            way = ("message", f"content[{index}]")
            if _is_read(part):
                call, server = part["id"], text_of(follow(part, ("input", "server")))
                self._waiting[call] = server
                beside = Beside(session=session, channel=server, server=server, time=time, time_basis=basis)
                found.append(asked(record, (*way, "input"), call, follow(part, ("input", "uri")), beside))
                continue
            call = _result_of(part)
            if call is None or call not in self._waiting:
                continue
            beside = Beside(session=session, channel=self._waiting.pop(call), time=time, time_basis=basis)
            text, failed = text_in(part.get("content")) or "", part.get("is_error") is True
            found.append(answered(record, (*way, "content"), call, text, beside, failed=failed))
        return found


def _parts(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts of a turn; places of other values stay, as empty objects."""
    if value.get("type") not in ("assistant", "user"):
        return []
    content = follow(value, ("message", "content"))
    return [part if type(part) is dict else {} for part in content] if type(content) is list else []


def _is_read(part: dict[str, Any]) -> bool:
    return part.get("type") == "tool_use" and part.get("name") == _TOOL and isinstance(part.get("id"), str)


def _result_of(part: dict[str, Any]) -> str | None:
    return text_of(part.get("tool_use_id")) if part.get("type") == "tool_result" else None
