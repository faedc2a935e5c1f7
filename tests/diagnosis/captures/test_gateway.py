from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from diagnosis.callers.credentials import CredentialSource
from diagnosis.captures import Direction, Sureness
from diagnosis.captures.gateway import Gateway
from diagnosis.captures.message import Loss
from tests.diagnosis.captures.common_session import TEMPLATE, URIS, diagnosed, outcome, reasons
from tests.diagnosis.captures.reading import counts, messages, read

NGINX = {"time": "2026-11-30T09:15:03+00:00", "status": 200, "mcp_method": "resources/read", "jwt_sub": "ana"}


def line(**members: Any) -> bytes:
    return json.dumps(members).encode() + b"\n"


def test_a_record_of_nginx(tmp_path: Path) -> None:
    found = messages(read(tmp_path, line(**NGINX, mcp_name="docs://a%2Fb")))[0]
    assert found.body == {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "docs://a%2Fb"}}
    assert (found.direction, found.time, found.time_basis) == (Direction.TO_SERVER, "2026-11-30T09:15:03Z", "utc")
    assert found.http is not None and (found.http.status, found.http.mcp_name) == (200, "docs://a%2Fb")
    assert found.credential is not None
    assert (found.credential.source, found.credential.subject) == (CredentialSource.RECORD, "ana")
    assert found.losses == (Loss.ID,)


def test_the_base64_sentinel_of_mcp_name_is_undone(tmp_path: Path) -> None:
    # base64 of "docs://Größe" in UTF-8.
    found = messages(read(tmp_path, line(**NGINX, mcp_name="=?base64?ZG9jczovL0dyw7bDn2U=?=")))[0]
    assert found.body["params"]["uri"] == "docs://Größe"


def test_a_record_of_envoy(tmp_path: Path) -> None:
    record = {
        "start_time": "2026-11-30T09:15:03.201Z", "response_code": 403,
        "dynamic_metadata": {
            "envoy.filters.http.mcp": {"method": "resources/read", "id": "7", "params": {"uri": "docs://a"}},
            "envoy.filters.http.jwt_authn": {"payload": {"sub": "ana", "tenant": "acme"}},
        },
    }  # fmt: skip
    found = messages(read(tmp_path, line(**record)))[0]
    assert (found.body["id"], found.body["params"], found.losses) == ("7", {"uri": "docs://a"}, ())
    assert found.http is not None and found.http.status == 403
    assert found.credential is not None
    assert (found.credential.subject, found.credential.tenants) == ("ana", ("acme",))


@pytest.mark.parametrize(
    "record",
    [
        {"Datetime": "2026-11-30T09:15:03Z", "Method": "resources/read", "ResourceReadURI": "docs://a"},
        {"mcp_method": "resources/read", "mcp_primitive_type": "resource", "mcp_primitive_name": "docs://a"},
        {"request": {"headers": {"Mcp-Method": "resources/read", "Mcp-Name": "docs://a"}}},
        {"http_mcp_method": "resources/read", "http_mcp_name": "docs://a", "remote_user": "-"},
    ],
)
def test_names_of_other_gateways(tmp_path: Path, record: dict[str, Any]) -> None:
    found = messages(read(tmp_path, line(**record)))
    assert [item.body["params"] for item in found] == [{"uri": "docs://a"}]
    assert found[0].credential is None


def test_a_read_without_a_uri_is_still_a_read_and_other_accesses_are_none(tmp_path: Path) -> None:
    data = line(**NGINX, mcp_name="docs://a") + line(**NGINX, mcp_name="-")
    data += line(mcp_method="tools/call", mcp_name="x") + line(request="GET / HTTP/1.1", status=200) + b"cut {\n[1]\n"
    items = read(tmp_path, data)
    assert [item.body["params"] for item in messages(items)] == [{"uri": "docs://a"}, {}]
    assert counts(items) == {"message": 2, "other": 4}


def test_the_header_may_differ_from_the_body(tmp_path: Path) -> None:
    record = {**NGINX, "mcp_name": "docs://b", "params": {"uri": "docs://a"}}
    found = messages(read(tmp_path, line(**record)))[0]
    assert found.body["params"]["uri"] == "docs://a"
    assert found.http is not None and found.http.mcp_name == "docs://b"


@pytest.mark.parametrize(
    "record",
    [
        {"status": 200, "request": "GET / HTTP/1.1"},
        {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "docs://a"}},
        {"id": 1, "method": "resources/read", "params": {"uri": "docs://a"}},
        {"mcp_method": "resources/read", "mcp_name": "docs://a", "raw": {"jsonrpc": "2.0", "id": 1, "method": "x"}},
        {"event": "request_start", "method": "resources/read", "payload": {"uri": "docs://a"}},
    ],
)
def test_what_is_no_access_log(record: dict[str, Any]) -> None:
    assert Gateway().detect(line(**record)).sureness is Sureness.NO


def test_the_common_session_as_far_as_requests_go(tmp_path: Path) -> None:
    data = b"".join(line(**NGINX, mcp_name=uri) for uri in URIS)
    judgements = diagnosed(tmp_path, data, templates=(TEMPLATE,)).judgements
    assert [outcome(each)[0].split()[0] for each in judgements] == ["intact", "escaped", "intact", "intact"]
    assert {reasons(each)[1:] for each in judgements} == {("no-answer", "no-answer")}
