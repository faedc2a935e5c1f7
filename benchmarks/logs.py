"""Logs to measure with: ordinary traffic in three formats and any size, and shapes that are hard to pair.

The same arguments give the same bytes. The sizes of messages are spread evenly over their logarithm, as they are in
real sessions: most are small, and most bytes are in large ones.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

KINDS = ("enveloped", "claude-desktop", "har")
SHAPES = ("reads", "messages", "one id for all", "no answers", "answers in reverse")
TENANT, FOREIGN = "acme", "northwind"
TEMPLATE = "report://{tenant}/{month}/section/{section}"

_WORDS = [
    *("invoice", "shelf", "tenant", "month", "total", "weekly", "returns", "receipt", "printer", "stock", "order"),
    *("café", "漢字", "“quoted”", "path/to/file", "a%20b", "https://example.test/x?y=1", "{curly}", "<tag>"),
    *("back\\slash", "line\nbreak", '"quotes"'),
]
_START = datetime(2026, 11, 2, 10, 0, tzinfo=UTC)
_READ_SHARE = 0.05
_FAULT_SHARE = 0.08


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer (None for a notification), as JSON texts, in one session."""

    session: int
    request: str
    answer: str | None


def write_log(path: Path, kind: str, size: int) -> None:
    """Writes ordinary traffic of about `size` bytes."""
    write = {"enveloped": _enveloped, "claude-desktop": _claude_desktop, "har": _har}[kind]
    # Claude Desktop's log has no sessions: one client numbers all its requests.
    traffic = _Traffic(sessions=1 if kind == "claude-desktop" else 20)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        write(file, traffic, size)


def write_shape(path: Path, shape: str, count: int) -> None:
    """Writes `count` reads of one session (messages, where the shape says so) in the order that makes the shape."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for direction, message in _shaped(shape, count):
            file.write(_record(0, direction, "s0", json.dumps(message)))


def _shaped(shape: str, count: int) -> Iterator[tuple[str, dict[str, object]]]:
    if shape == "messages":
        for number in range(count // 2):
            yield "client->server", {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "x"}}
            yield "server->client", {"jsonrpc": "2.0", "id": number, "result": {"content": []}}
        return
    ids = [1 if shape == "one id for all" else number for number in range(count)]
    requests = [("client->server", _read(ids[number], _uri(number))) for number in range(count)]
    answers = [("server->client", _answer(ids[number], _uri(number))) for number in range(count)]
    if shape == "reads":
        for request, answer in zip(requests, answers, strict=True):
            yield request
            yield answer
        return
    yield from requests
    if shape != "no answers":
        yield from reversed(answers) if shape == "answers in reverse" else answers


def _uri(number: int) -> str:
    return f"report://{TENANT}/2025-10/section/{number}"


def _read(request_id: int, uri: str) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": request_id, "method": "resources/read", "params": {"uri": uri}}


def _answer(request_id: int, uri: str, text: str = '{"tenant": "acme"}') -> dict[str, object]:
    contents = [{"uri": uri, "mimeType": "application/json", "text": text}]
    return {"jsonrpc": "2.0", "id": request_id, "result": {"contents": contents}}


class _Traffic:
    """An endless run of exchanges: mostly tool calls, one read in twenty, a few of those with a fault."""

    def __init__(self, sessions: int) -> None:
        self._random = random.Random(20261102)
        self._next_id = [0] * sessions
        self._prose = [self._words(20_000) for _ in range(40)]

    def __iter__(self) -> Iterator[Exchange]:
        for session in range(len(self._next_id)):
            yield from self._opening(session)
        while True:
            session = self._random.randrange(len(self._next_id))
            yield self._one_read(session) if self._random.random() < _READ_SHARE else self._other(session)

    def _opening(self, session: int) -> Iterator[Exchange]:
        facts = {"protocolVersion": "2025-11-25", "capabilities": {"resources": {}}}
        asked, told = {"clientInfo": {"name": "host"}}, {"serverInfo": {"name": "ledger", "version": "1"}}
        yield self._exchange(session, "initialize", facts | asked, facts | told)
        listed = {"resourceTemplates": [{"name": "report", "uriTemplate": TEMPLATE}]}
        yield self._exchange(session, "resources/templates/list", {}, listed)

    def _one_read(self, session: int) -> Exchange:
        fault = self._random.choice(("escaped", "again", "foreign")) if self._random.random() < _FAULT_SHARE else ""
        month = f"2025-{self._random.randint(1, 12):02d}"
        spelled = {"escaped": "R & D/costs", "again": "R%2526D"}.get(fault, "R%26D")
        tenant = FOREIGN if fault == "foreign" else TENANT
        uri = f"report://{tenant}/{month}/section/{spelled}"
        said = {"tenant": tenant, "month": month, "section": "R&D", "note": self._cut(200, 20_000)}
        contents = [{"uri": uri, "mimeType": "application/json", "text": json.dumps(said, ensure_ascii=False)}]
        return self._exchange(session, "resources/read", {"uri": uri}, {"contents": contents})

    def _other(self, session: int) -> Exchange:
        drawn = self._random.random()
        if drawn < 0.1:
            note = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 7}}
            return Exchange(session, json.dumps(note), None)
        if drawn < 0.2:
            return self._exchange(session, "resources/list", {}, {"resources": [{"name": "a", "uri": "status://a"}]})
        asked = {"name": "search", "arguments": {"q": self._cut(20, 220)}}
        content = [{"type": "text", "text": self._cut(120, 7_200)}]
        return self._exchange(session, "tools/call", asked, {"content": content, "isError": False})

    def _exchange(self, session: int, method: str, params: object, result: object) -> Exchange:
        number = self._next_id[session]
        self._next_id[session] += 1
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        answer = {"jsonrpc": "2.0", "id": number, "result": result}
        return Exchange(session, _json(request), _json(answer))

    def _cut(self, least: int, most: int) -> str:
        return self._random.choice(self._prose)[: int(least * (most / least) ** self._random.random())]

    def _words(self, length: int) -> str:
        return " ".join(self._random.choice(_WORDS) for _ in range(length // 4))[:length]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _time(number: int) -> str:
    return (_START + timedelta(milliseconds=number)).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _record(number: int, direction: str, session: str, message: str) -> str:
    return f'{{"ts":"{_time(number)}","dir":"{direction}","session":"{session}","message":{message}}}\n'


def _lines(traffic: _Traffic) -> Iterator[tuple[bool, int, str]]:
    """Messages one by one: whether the client sent it, its session, its text. Up to eight answers are outstanding."""
    order = random.Random(7)
    waiting: list[tuple[int, str]] = []
    for exchange in traffic:
        yield exchange.answer is not None, exchange.session, exchange.request
        if exchange.answer is not None:
            waiting.append((exchange.session, exchange.answer))
        if waiting and (len(waiting) > 8 or order.random() < 0.5):
            session, answer = waiting.pop(order.randrange(len(waiting)))
            yield False, session, answer


def _enveloped(file: TextIO, traffic: _Traffic, size: int) -> None:
    written = 0
    for number, (by_client, session, text) in enumerate(_lines(traffic)):
        direction = "client->server" if by_client else "server->client"
        written += _put(file, _record(number, direction, f"s{session:02d}", text))
        if written >= size:
            return


def _claude_desktop(file: TextIO, traffic: _Traffic, size: int) -> None:
    written = 0
    for number, (by_client, _, text) in enumerate(_lines(traffic)):
        side = "client" if by_client else "server"
        written += _put(file, f"{_time(number)} [info] [ledger] Message from {side}: {text}\n")
        if written >= size:
            return


def _har(file: TextIO, traffic: _Traffic, size: int) -> None:
    written = _put(file, '{"log":{"version":"1.2","creator":{"name":"benchmark","version":"1"},"entries":[\n')
    for number, exchange in enumerate(traffic):
        written += _put(file, (",\n" if number else "") + _json(_entry(number, exchange)))
        if written >= size:
            break
    file.write("\n]}}\n")


def _entry(number: int, exchange: Exchange) -> dict[str, object]:
    """One POST; every second answer comes as an event stream."""
    streamed = bool(number % 2) and exchange.answer is not None
    media_type = "text/event-stream" if streamed else "application/json"
    body = f"event: message\r\ndata: {exchange.answer}\r\n\r\n" if streamed else exchange.answer or ""
    headers = [{"name": "mcp-session-id", "value": f"s{exchange.session:02d}"}]
    return {
        "startedDateTime": _time(number),
        "time": 12.5,
        "request": {
            "method": "POST",
            "url": "http://127.0.0.1:8000/mcp",
            "headers": headers,
            "postData": {"mimeType": "application/json", "text": exchange.request},
        },
        "response": {
            "status": 200 if exchange.answer else 202,
            "headers": [{"name": "content-type", "value": media_type}],
            "content": {"size": len(body), "mimeType": media_type, "text": body},
        },
    }


def _put(file: TextIO, text: str) -> int:
    file.write(text)
    return len(text.encode("utf-8"))
