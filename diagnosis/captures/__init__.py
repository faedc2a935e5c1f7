"""Bytes to messages: which format a capture has, and everything that stands in it."""

from __future__ import annotations

from dataclasses import dataclass

from diagnosis.captures.claude_desktop import ClaudeDesktop
from diagnosis.captures.contract import CaptureFormat, Claim, Kind, Skipped, Sureness
from diagnosis.captures.enveloped import Enveloped
from diagnosis.captures.har import Har
from diagnosis.captures.json_rpc import JsonRpc
from diagnosis.captures.message import Direction, HttpExchange, Message, Span
from diagnosis.captures.sources import Source, SourceError, open_source
from diagnosis.captures.vscode import VsCode

# The more specific first: where two are equally sure, the first one reads the capture.
CAPTURE_FORMATS: tuple[CaptureFormat, ...] = (ClaudeDesktop(), VsCode(), Har(), Enveloped(), JsonRpc())

_PACKETS = "It is a packet capture; convert it: tshark -r FILE -Y http -T json --no-duplicate-keys."
_MAGIC = (
    (b"\x1f\x8b", "It is compressed with gzip."),
    (b"\x28\xb5\x2f\xfd", "It is compressed with Zstandard."),
    (b"PK\x03\x04", "It is a zip archive."),
    (b"BZh", "It is compressed with bzip2."),
    (b"\xfd7zXZ\x00", "It is compressed with xz."),
    (b"\xff\xfe", "It is UTF-16 text (little endian), not UTF-8."),
    (b"\xfe\xff", "It is UTF-16 text (big endian), not UTF-8."),
    (
        b"\xd4\xc3\xb2\xa1",
        _PACKETS,
    ),
    (
        b"\xa1\xb2\xc3\xd4",
        _PACKETS,
    ),
    (
        b"\x0a\x0d\x0d\x0a",
        _PACKETS,
    ),
)


@dataclass(frozen=True, slots=True)
class Detection:
    """The format that reads a capture, the reason, and the names of formats that were equally sure."""

    format: CaptureFormat
    why: str
    others: tuple[str, ...] = ()


class NotACapture(Exception):
    """No format claims the bytes. The text is one sentence; `reasons` has one per format, by its name."""

    def __init__(self, sentence: str, reasons: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(sentence)
        self.reasons = reasons


def detect(head: bytes, name: str | None = None) -> Detection:
    """Says which format reads a capture that begins with `head` (64 KiB are enough).

    `name` is the word of `--capture-format` and ends all doubt. Raises `NotACapture` for an empty file, for
    compressed and binary files, where no format claims the bytes, and for an unknown `name`.
    """
    if not head:
        raise NotACapture("The file is empty.")
    if name is not None:
        return _named(name)
    for magic, sentence in _MAGIC:
        if head.startswith(magic):
            raise NotACapture(sentence)
    if not head.strip():
        raise NotACapture("The file holds blank lines only.")
    claims = [(each, each.detect(head)) for each in CAPTURE_FORMATS]
    best = max(claim.sureness for _, claim in claims)
    if best is Sureness.NO:
        raise NotACapture(_nothing(head), tuple((each.name, claim.why) for each, claim in claims))
    first, *rest = [(each, claim) for each, claim in claims if claim.sureness is best]
    return Detection(first[0], first[1].why, tuple(each.name for each, _ in rest))


def _named(name: str) -> Detection:
    for each in CAPTURE_FORMATS:
        if each.name == name:
            return Detection(each, "asked for by name")
    known = ", ".join(each.name for each in CAPTURE_FORMATS)
    raise NotACapture(f"There is no capture format of that name; there are {known}.")


def _nothing(head: bytes) -> str:
    if b'\x00"' in head or b'"\x00' in head:
        return "It looks like UTF-16 text without a byte order mark, not UTF-8."
    if b"\0" in head:
        return "It holds NUL bytes: it is no text, or the disk lost it."
    if b'"jsonrpc"' in head:
        return "There are JSON-RPC messages in it, but in a form that no capture format knows."
    return "No JSON-RPC message stands in its beginning."


__all__ = [
    "CAPTURE_FORMATS",
    "CaptureFormat",
    "Claim",
    "Detection",
    "Direction",
    "HttpExchange",
    "Kind",
    "Message",
    "NotACapture",
    "Skipped",
    "Source",
    "SourceError",
    "Span",
    "Sureness",
    "detect",
    "open_source",
]
