"""The common session as recorders and inspectors write it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

from tests.diagnosis.captures.common_session import SESSION, compact

TIME = "2026-11-30T09:15:03.201Z"
MICROS = 1796030103201000
PAIRS = [(SESSION[index][1], SESSION[index + 1][1]) for index in range(0, len(SESSION), 2)]
ASK, ANSWER = PAIRS[1]


def lines(*values: Any) -> bytes:
    return "".join(f"{compact(value)}\n" for value in values).encode()


def array(*values: Any) -> bytes:
    return json.dumps(values, indent=1).encode()


def snooped(message: Any, direction: str = "c2s", **more: Any) -> dict[str, Any]:
    return {
        "session_id": "s1",
        "server_label": "kb",
        "seq": 1,
        "ts": TIME,
        "direction": direction,
        "raw": message,
        **more,
    }


def har_entry(ask: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    status = 200 if "result" in answer else 500
    request = {"url": f"mcp://kb/{ask['method']}", "httpVersion": "JSON-RPC/2.0"}
    return {
        "startedDateTime": TIME,
        "request": {**request, "postData": {"text": compact(ask["params"])}},
        "response": {"status": status, "content": {"text": compact(answer.get("result", answer.get("error")))}},
    }


def har(*entries: Any) -> bytes:
    log = {"version": "1.2", "creator": {"name": "mcpsnoop", "version": "dev"}, "entries": entries}
    return json.dumps({"log": log}, indent=1).encode()


def reticle(message: Any, sent: bool, **flags: bool) -> dict[str, Any]:
    side = "toserver" if sent else "toclient"
    return {"timestamp_micros": MICROS, "direction": side, "content": message, "metadata": flags}


def exchange(ask: Any, answer: str, **headers: str) -> dict[str, Any]:
    return {
        "id": "x",
        "timestamp": TIME,
        "method": "POST",
        "url": "https://kb.example/mcp",
        "requestHeaders": headers,
        "requestBody": compact(ask),
        "responseStatus": 200,
        "responseHeaders": {},
        "responseBody": answer,
        "category": "transport",
    }


def tapped(message: dict[str, Any], sent: bool) -> dict[str, Any]:
    kind = "request" if "method" in message else "response"
    params = message.get("params", message.get("result", message.get("error")))
    side = "client_to_server" if sent else "server_to_client"
    return {
        "timestamp": TIME,
        "sequence": 1,
        "session_id": "s1",
        "server_id": "kb",
        "direction": side,
        "method": message.get("method"),
        "params": params,
        "message_id": str(message["id"]),
        "message_type": kind,
    }


def spied(message: dict[str, Any], sent: bool) -> dict[str, Any]:
    ends = {"from_pid": 1, "to_pid": 2} if sent else {"from_pid": 2, "to_pid": 1}
    kind = "request" if "method" in message else "response"
    return {
        "timestamp": TIME,
        "transport_type": "stdio",
        "stdio_transport": ends,
        "type": kind,
        "error": {},
        "raw": compact(message),
        "request": ASK,
    }


def jam(message: Any, sent: bool) -> dict[str, Any]:
    return {
        "timestamp": TIME,
        "source": "mcp-server",
        "serverId": "kb",
        "serverName": "Handbook",
        "direction": "SEND" if sent else "RECEIVE",
        "method": message.get("method", "result"),
        "payload": message,
    }


def captures() -> dict[str, bytes]:
    """The common session as each recorder writes it."""
    sides = {True: "client", False: "server"}
    return {
        "inspector-protocol": array(
            *(
                {
                    "id": "m",
                    "timestamp": TIME,
                    "direction": "request",
                    "origin": "client",
                    "message": ask,
                    "response": answer,
                }
                for ask, answer in PAIRS
            )
        ),
        "inspector-network": array(*(exchange(ask, compact(answer)) for ask, answer in PAIRS)),
        "mcpsnoop-jsonl": lines(*(snooped(each, "c2s" if sent else "s2c") for sent, each in SESSION)),
        "mcpsnoop-har": har(*(har_entry(ask, answer) for ask, answer in PAIRS)),
        "mcp-recorder": json.dumps(
            {
                "version": "1.0",
                "metadata": {"server_url": "https://kb.example/mcp"},
                "interactions": [
                    {"type": "jsonrpc_request", "request": ask, "response": answer, "response_status": None}
                    for ask, answer in PAIRS
                ],
            }
        ).encode(),
        "reticle-session": json.dumps(
            {"id": "s1", "messages": [reticle(each, sent) for sent, each in SESSION]}
        ).encode(),
        "reticle-log": lines(
            *(
                {
                    "id": "m",
                    "session_id": "s1",
                    "timestamp": MICROS,
                    "direction": "in" if sent else "out",
                    "content": compact(each),
                    "message_type": "jsonrpc",
                }
                for sent, each in SESSION
            )
        ),
        "mcp-debug": b"# MCP Recording Session\n# Started\n"
        + lines(
            {"start_time": TIME, "server_info": "x", "messages": []},
            *(
                {
                    "timestamp": TIME,
                    "direction": "request" if sent else "response",
                    "message_type": "request",
                    "server_name": "kb",
                    "message": each,
                }
                for sent, each in SESSION
            ),
        ),
        "mcp-tape": lines(
            {"v": 1, "type": "meta"},
            *({"t": TIME, "dir": "in" if sent else "out", "raw": each} for sent, each in SESSION),
        ),
        "mcp-tap": lines(*(tapped(each, sent) for sent, each in SESSION)),
        "mcpspy": lines(*(spied(each, sent) for sent, each in SESSION)),
        "mcp-use": array(
            *(
                {
                    "id": "r",
                    "serverId": sides[False],
                    "direction": "send" if sent else "receive",
                    "timestamp": TIME,
                    "message": each,
                }
                for sent, each in SESSION
            )
        ),
        "mcpjam": array(*(jam(each, sent) for sent, each in reversed(SESSION))),
    }


def debugger() -> bytes:
    """A database of mcp-debugger with the common session."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, message_id TEXT, direction TEXT,"
            " method TEXT, params TEXT, result TEXT, error TEXT, timestamp REAL, latency_ms REAL, message_type TEXT)"
        )
        for sent, each in SESSION:
            side = "client_to_server" if sent else "server_to_client"
            parts = [json.dumps(each[key]) if key in each else None for key in ("params", "result", "error")]
            row = ("s1", str(each["id"]), side, each.get("method"), *parts, 1796030103.2)
            base.execute(
                "INSERT INTO messages(session_id, message_id, direction, method, params, result, error, timestamp)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        base.commit()
        return base.serialize()


def shark() -> bytes:
    """A database of mcp-shark with the common session."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(
            "CREATE TABLE packets(frame_number INTEGER PRIMARY KEY, timestamp_iso TEXT, direction TEXT,"
            " session_id TEXT, headers_json TEXT, body_raw TEXT, body_json TEXT)"
        )
        for sent, each in SESSION:
            headers = compact({"Authorization": "Bearer opaque"}) if sent else None
            body = compact(each) if sent else f"data: {compact(each)}\n\n"
            row = (TIME, "request" if sent else "response", "s1", headers, body)
            base.execute(
                "INSERT INTO packets(timestamp_iso, direction, session_id, headers_json, body_raw)"
                " VALUES (?, ?, ?, ?, ?)",
                row,
            )
        base.commit()
        return base.serialize()
