"""Packets as tshark prints them in JSON, with HTTP already put together."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from diagnosis.callers.authorization import from_authorization
from diagnosis.callers.credentials import TokenLabels
from diagnosis.captures.bodies import messages_of_body
from diagnosis.captures.contract import Claim, Kind, Skipped, Sureness
from diagnosis.captures.cutting import after_array, array_elements
from diagnosis.captures.decoding import BOM, decode
from diagnosis.captures.har import mcp_name
from diagnosis.captures.message import Direction, HttpExchange, Message, Span
from diagnosis.captures.records import AT_END, Beside, skipped
from diagnosis.captures.sources import HEAD, Source
from diagnosis.captures.times import utc

_HEX = re.compile(r"[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2})+").fullmatch
_EPOCH = re.compile(r"(\d{1,10})(?:\.(\d{1,9}))?").fullmatch
NO_MESSAGE = "a packet without a JSON-RPC message"


class Tshark:
    """Reads `tshark -T json`, with or without `--no-duplicate-keys`."""

    name = "tshark-json"
    title = "packets in JSON (tshark -Y http -T json), with HTTP put together"
    cannot_show = "encrypted traffic without its keys, and bodies that tshark could not put together"

    def detect(self, head: bytes) -> Claim:
        """Certain where the elements are packets with layers, HTTP among them."""
        if head.removeprefix(BOM).lstrip()[:1] != b"[":
            return Claim(Sureness.NO, "it is no array of packets")
        first = next(iter(array_elements(head, head.find(b"["), scan=True)), None)
        layers = _layers(_parsed(head[first[0] : first[1]])) if first else {}
        if layers and ("http" in layers or b'"http"' in head):
            return Claim(Sureness.CERTAIN, "an array of packets with _source.layers, HTTP among them")
        if layers:
            return Claim(Sureness.POSSIBLE, "an array of packets with _source.layers, HTTP not among the first")
        return Claim(Sureness.NO, "the elements of the array have no _source.layers")

    def messages(self, source: Source) -> Iterator[Message | Skipped]:
        """Yields the messages of every body; a packet without any is other."""
        data = source.whole()
        sessions: dict[int, str] = {}
        line, counted, end = 1, 0, data.find(b"[") + 1
        for index, (start, end, closed) in enumerate(array_elements(data, data.find(b"["))):
            line, counted = line + data.count(b"\n", counted, start), start
            record = data[start:end]
            span = Span(source.path, line, start, end - start, (f"[{index}]",))
            packet = _parsed(record)
            if packet is None:
                reason = AT_END if not closed else decode(record).reason or "nested too deep"
                yield skipped(Kind.UNREADABLE, span, record, reason)
                continue
            found = list(_from_packet(_layers(packet), index, span, record, source.labels, sessions))
            yield from found or (skipped(Kind.OTHER, span, record, NO_MESSAGE),)
        rest = after_array(data, end)
        if rest < len(data):
            line += data.count(b"\n", counted, rest)
            place = Span(source.path, line, rest, len(data) - rest)
            yield skipped(Kind.UNREADABLE, place, data[rest : rest + HEAD], "text after the array")


def _parsed(record: bytes) -> Any:
    """A packet; a key that tshark repeats becomes one list, since ordinary parsers keep the last value only."""
    try:
        return json.loads(record.decode("utf-8"), object_pairs_hook=_pairs)
    except (ValueError, RecursionError):
        return None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    repeated: set[str] = set()
    for key, value in pairs:
        if key not in found:
            found[key] = value
        elif key in repeated:
            found[key].append(value)
        else:
            found[key] = [found[key], value]
            repeated.add(key)
    return found


def _layers(packet: Any) -> dict[str, Any]:
    source = packet.get("_source") if type(packet) is dict else None
    layers = source.get("layers") if type(source) is dict else None
    return layers if type(layers) is dict else {}


def _from_packet(
    layers: dict[str, Any], index: int, span: Span, record: bytes, labels: TokenLabels, sessions: dict[int, str]
) -> Iterator[Message | Skipped]:
    frame = layers.get("frame")
    frame = frame if type(frame) is dict else {}
    number = _number(frame.get("frame.number"))
    time, basis = _time(frame.get("frame.time_epoch"))
    for http in _dicts(layers.get("http")):
        text = _body(http.get("http.file_data"))
        place = Span(span.capture, span.line, span.offset, span.length, (*span.layers, "http.file_data"))
        code = _found(http, "http.response.code")
        if code is None:
            headers = _headers(http.get("http.request.line"))
            exchange = number if number is not None else -1 - index
            if "mcp-session-id" in headers:
                sessions[exchange] = headers["mcp-session-id"]
            header = headers.get("authorization") or http.get("http.authorization")
            told = HttpExchange(
                exchange,
                _text(http.get("http.request.full_uri")),
                None,
                mcp_name(headers["mcp-name"]) if "mcp-name" in headers else None,
            )
            credential = from_authorization(header, labels) if isinstance(header, str) else None
            session = sessions.get(exchange)
            beside = Beside(Direction.TO_SERVER, session, None, time, basis, credential, told)
        else:
            asked = _number(http.get("http.request_in"))
            exchange = asked if asked is not None else -1 - index
            told = HttpExchange(exchange, _text(http.get("http.response_for.uri")), _number(code))
            # The answer belongs to its request; only the answer to `initialize` names a session first.
            session = sessions.pop(exchange, None)
            beside = Beside(Direction.TO_CLIENT, session, None, time, basis, None, told)
        if text:
            yield from messages_of_body(text, place, record, beside)


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in (value if type(value) is list else [value]) if type(each) is dict]


def _found(http: dict[str, Any], key: str) -> Any:
    """A member of the layer, or of the first line's object inside it."""
    if key in http:
        return http[key]
    return next((each[key] for each in http.values() if type(each) is dict and key in each), None)


def _headers(lines: Any) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines if type(lines) is list else [lines]:
        if isinstance(line, str):
            name, colon, value = line.partition(":")
            if colon:
                headers.setdefault(name.strip().lower(), value.strip())
    return headers


def _body(data: Any) -> str | None:
    """The body: as text, or as bytes in hex with colons between, as newer versions print it."""
    if not isinstance(data, str):
        return None
    if _HEX(data):
        try:
            return bytes.fromhex(data.replace(":", "")).decode("utf-8")
        except ValueError:
            return data
    return data


def _time(epoch: Any) -> tuple[str | None, str]:
    found = _EPOCH(epoch) if isinstance(epoch, str) else None
    if found is None:
        return utc(epoch)
    return utc(int(found.group(1)) * 10**9 + int((found.group(2) or "").ljust(9, "0")))


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return value if type(value) is int else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
