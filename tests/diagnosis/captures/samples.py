"""One small capture of every format, and of its other shapes, written by hand: what `detect` is tried on."""

from __future__ import annotations

import json
from typing import Any

from tests.diagnosis.captures.recorders import array, captures, debugger, lines, shark

ASK = '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
DONE = '{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"docs://a","text":"x"}]}}'
ZULU = "2026-11-30T09:15:02.101Z"
CURL = "* Connected to kb.example\n> POST /mcp HTTP/1.1\n> Host: kb.example\n>\n< HTTP/1.1 200 OK\n<\n"
WEB = {
    "startedDateTime": ZULU,
    "request": {"method": "POST", "url": "https://kb.example/mcp", "postData": {"text": ASK}},
    "response": {"status": 200, "content": {"text": DONE}},
}
RMCP = 'Request { method: ReadResourceRequestMethod, params: P { uri: "docs://a" }, extensions: E }'
PYTHON = "root=JSONRPCRequest(method='resources/read', params={'uri': 'docs://a'}, jsonrpc='2.0', id=1)"


def _line(text: str) -> bytes:
    return text.encode() + b"\n"


def _compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _span(key: str, text: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": text}}


def _turn(role: str, part: dict[str, Any]) -> dict[str, Any]:
    return {"type": role, "sessionId": "s1", "timestamp": ZULU, "message": {"role": role, "content": [part]}}


def _item(payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": ZULU, "type": "response_item", "payload": payload}


def _documents() -> dict[str, Any]:
    """Formats of one JSON document, which people save pretty-printed or not."""
    http = {"http.request.method": "POST", "http.file_data": ASK}
    frame = {"frame.number": "1", "frame.time_epoch": "1796071694.644222000"}
    access = json.dumps({"type": "access_mcp_resource", "serverName": "kb", "uri": "docs://a"})
    return {
        "har": {"log": {"version": "1.2", "creator": {"name": "proxy", "version": "1"}, "entries": [WEB]}},
        "tshark-json": [{"_source": {"layers": {"frame": frame, "http": http}}}],
        "agent-transcript-cline": [{"ts": 1796030103201, "type": "say", "say": "use_mcp_server", "text": access}],
        "wrapped-cloudwatch": {"events": [{"timestamp": 1796030103201, "message": ASK, "ingestionTime": 1}]},
        "wrapped-datadog": {"data": [{"id": "1", "attributes": {"timestamp": ZULU, "message": ASK}}]},
        "wrapped-elastic": {"hits": {"hits": [{"_id": "1", "_source": {"@timestamp": ZULU, "message": ASK}}]}},
        "wrapped-loki": {
            "data": {"resultType": "streams", "result": [{"stream": {}, "values": [["1796030103201000000", ASK]]}]}
        },
    }


def _logs() -> dict[str, tuple[bytes, ...]]:
    """Formats of lines."""
    read = {"id": "t1", "name": "ReadMcpResourceTool", "input": {"server": "kb", "uri": "docs://a"}}
    call = {"name": "read_mcp_resource", "arguments": '{"server":"kb","uri":"docs://a"}', "call_id": "c1"}
    attributes = [_span("mcp.method.name", "resources/read"), _span("mcp.resource.uri", "docs://a")]
    nested = json.dumps({"level": "info", "message": json.dumps({"payload": ASK})})
    access = {"time": ZULU, "status": 200, "mcp_method": "resources/read", "mcp_name": "docs://a"}
    envoy = {"envoy.filters.http.mcp": {"method": "resources/read", "id": 1, "params": {"uri": "docs://a"}}}
    return {
        "json-rpc": (
            _line(ASK) + _line(DONE),
            f"[{ASK},{DONE}]".encode(),
            json.dumps(json.loads(ASK), indent=1).encode(),
        ),
        "enveloped": (
            _line(f'{{"dir":"c2s","message":{ASK}}}'),
            lines({"time": ZULU, "session": "s1", "payload": ASK}),
            lines({"direction": "in", **json.loads(ASK)}),
        ),
        "wrapped-field": (_line(nested), lines({"request_body": ASK, "response_body": DONE})),
        "claude-desktop": (_line(f"{ZULU} [kb] [info] Message from client: {ASK}"),),
        "vscode": (_line(f"[editor -> server] {ASK}"),),
        "go-logging-transport": (_line(f"read: {ASK}"),),
        "csharp-trace": (_line(f"      Server (stream) (kb) transport received message. Message: '{ASK}'."),),
        "java-debug": (_line(f"09:15:02.101 [main] DEBUG i.m.s.McpSchema -- Received JSON message: {ASK}"),),
        "kotlin-debug": (_line(f"DEBUG Client sending message via POST to https://kb.example/mcp: {ASK}"),),
        "python-sdk-v1": (
            _line("DEBUG mcp: SSE message: root=JSONRPCResponse(jsonrpc='2.0', id=1, result={})"),
            _line(f"DEBUG mcp: Sending client message: {PYTHON}"),
        ),
        "python-sdk-v2": (_line("DEBUG mcp: Sending client message: jsonrpc='2.0' id=1 method='ping' params={}"),),
        "rmcp-debug": (_line(f"DEBUG rmcp::service: received request id=3 request=ReadResourceRequest({RMCP})"),),
        "fastmcp-logging": (_line('{"event": "request_success", "method": "resources/read", "source": "client"}'),),
        "agent-transcript-claude-code": (lines(_turn("assistant", {"type": "tool_use", **read})),),
        "agent-transcript-codex": (lines(_item({"type": "function_call", **call})),),
        "wrapped-docker": (
            lines({"log": f"{ASK}\n", "stream": "stdout", "time": ZULU}),
            lines({"log": f"{nested}\n", "stream": "stdout", "time": ZULU}),
        ),
        "wrapped-cri": (_line(f"{ZULU} stdout F {ASK}"),),
        "wrapped-loki": (lines({"labels": {"app": "kb"}, "line": ASK, "timestamp": ZULU}),),
        "gateway-access": (lines(access), lines({"start_time": ZULU, "dynamic_metadata": envoy})),
        "raw-sse": (f"event: message\ndata: {DONE}\n\n".encode(),),
        "curl-verbose": (_line(CURL + DONE), f"{CURL}event: message\ndata: {DONE}\n\n".encode()),
        "otlp-traces": (lines({"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": attributes}]}]}]}),),
    }


def _other_shape(data: bytes) -> bytes:
    """A pretty-printed document without its blanks: an array with one element in each line."""
    value = json.loads(data)
    if type(value) is not list:
        return _compact(value)
    return b"[\n" + b",\n".join(map(_compact, value)) + b"\n]\n"


def samples() -> list[tuple[str, bytes]]:
    """Every sample behind the name of the format it belongs to."""
    found = [(name, each) for name, shapes in _logs().items() for each in shapes]
    for name, value in _documents().items():
        found += [(name, json.dumps(value, indent=1).encode()), (name, _compact(value))]
        if type(value) is list:
            found.append((name, array(*value)))
    for name, data in captures().items():
        found.append((name, data))
        if data[:1] in (b"[", b"{") and name not in ("mcp-tape", "mcp-tap", "mcpspy", "mcpsnoop-jsonl", "reticle-log"):
            found.append((name, _other_shape(data)))
    return [*found, ("mcp-debugger", debugger()), ("mcp-shark", shark()), *SIDECARS]


SIDECARS = (
    (
        "toolhive-audit",
        b'{"type":"mcp_resource_read","loggedAt":"2026-11-30T09:15:03Z","outcome":"success","subjects":{"user":"ana"},'
        b'"target":{"method":"resources/read","type":"resource","name":"docs://team/acme-eu/policy/on-call"},'
        b'"source":{"type":"network","value":"10.0.0.9","extra":{"session_id":"s1"}},"component":"kb"}\n',
    ),
    (
        "mcp-trace",
        b'{"type":"ReadResourceRequest","method":"resources/read","timestamp":"2026-11-30T09:15:03+00:00",'
        b'"session_id":"s1","user_id":"u1","request":null,"response":null}\n',
    ),
)

KNOWN = {
    "pcap": b"\xd4\xc3\xb2\xa1" + b"\0" * 20,
    "mitmproxy-flow": b"2609:9:websocket;0:~8:response;574:6:reason;",
    "cursor-mcp": b"2026-11-30 09:15:02.101 [info] user-kb: Handling ReadResource action\n",
    "claude-code-mcp": b'{"debug":"Starting connection","timestamp":"2026-11-30T09:15:02Z","sessionId":"s1"}\n',
    "claude-code-debug": b'2026-11-30T09:15:02.101Z [DEBUG] MCP server "kb": Starting connection\n',
    "zed": b"2026-11-30T09:15:02+01:00 INFO  [context_server] starting kb\n",
    "typescript-with-logging": b"HTTP POST https://kb.example/mcp 200 OK (12.3ms)\n",
}
