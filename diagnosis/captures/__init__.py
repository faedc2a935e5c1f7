"""Bytes to messages: which format a capture has, and everything that stands in it."""

from __future__ import annotations

from dataclasses import replace

from diagnosis.captures.choosing import Detection, choose
from diagnosis.captures.claude_code import ClaudeCode
from diagnosis.captures.claude_desktop import ClaudeDesktop
from diagnosis.captures.cline import Cline
from diagnosis.captures.cloudwatch import CLOUDWATCH
from diagnosis.captures.codex import Codex
from diagnosis.captures.compression import BZIP2, compression_of
from diagnosis.captures.contract import CaptureFormat, Claim, Kind, Skipped, Sureness
from diagnosis.captures.cri import Cri
from diagnosis.captures.csharp_trace import CSharpTrace
from diagnosis.captures.curl_verbose import CurlVerbose
from diagnosis.captures.datadog import DATADOG
from diagnosis.captures.docker import Docker
from diagnosis.captures.elastic import ELASTIC
from diagnosis.captures.enveloped import Enveloped
from diagnosis.captures.fastmcp_logging import FastMcpLogging
from diagnosis.captures.frames import Glance
from diagnosis.captures.gateway import Gateway
from diagnosis.captures.gathering import glances_of, items_of
from diagnosis.captures.go_logging import GoLogging
from diagnosis.captures.har import Har
from diagnosis.captures.inspector import InspectorProtocol
from diagnosis.captures.inspector_network import InspectorNetwork
from diagnosis.captures.java_debug import JavaDebug
from diagnosis.captures.json_rpc import JsonRpc
from diagnosis.captures.kotlin_debug import KotlinDebug
from diagnosis.captures.loki import Loki
from diagnosis.captures.mcp_debug import McpDebug
from diagnosis.captures.mcp_debugger import McpDebugger
from diagnosis.captures.mcp_recorder import McpRecorder
from diagnosis.captures.mcp_shark import McpShark
from diagnosis.captures.mcp_tap import McpTap
from diagnosis.captures.mcp_tape import McpTape
from diagnosis.captures.mcp_trace import McpTrace
from diagnosis.captures.mcp_use import McpUse
from diagnosis.captures.mcpjam import McpJam
from diagnosis.captures.mcpsnoop import McpSnoop
from diagnosis.captures.mcpsnoop_har import McpSnoopHar
from diagnosis.captures.mcpspy import McpSpy
from diagnosis.captures.message import Direction, HttpExchange, Message, Span
from diagnosis.captures.no_reads import CONVERT, KNOWN_FILES, KnownFile, known_file
from diagnosis.captures.otlp import Otlp
from diagnosis.captures.python_sdk import PythonSdkV1, PythonSdkV2
from diagnosis.captures.raw_sse import RawSse
from diagnosis.captures.reticle import ReticleLog, ReticleSession
from diagnosis.captures.rmcp_debug import RmcpDebug
from diagnosis.captures.sources import HEAD, Source, SourceError, Unopened, open_source, open_sources
from diagnosis.captures.toolhive_audit import ToolHiveAudit
from diagnosis.captures.tshark import Tshark
from diagnosis.captures.vscode import VsCode
from diagnosis.captures.wrapped_field import WrappedField

# The more specific first: of all that claim a capture the first one reads it (see `choose` for the exception).
CAPTURE_FORMATS: tuple[CaptureFormat, ...] = (
    Docker(),
    Cri(),
    CLOUDWATCH,
    DATADOG,
    ELASTIC,
    Loki(),
    ClaudeDesktop(),
    VsCode(),
    GoLogging(),
    CSharpTrace(),
    JavaDebug(),
    KotlinDebug(),
    PythonSdkV1(),
    PythonSdkV2(),
    RmcpDebug(),
    FastMcpLogging(),
    ClaudeCode(),
    Codex(),
    Cline(),
    InspectorProtocol(),
    InspectorNetwork(),
    McpSnoop(),
    McpSnoopHar(),
    McpRecorder(),
    ReticleSession(),
    ReticleLog(),
    McpDebug(),
    McpTape(),
    McpTap(),
    McpSpy(),
    McpUse(),
    McpJam(),
    McpDebugger(),
    McpShark(),
    ToolHiveAudit(),
    McpTrace(),
    Har(),
    # A record may hold messages and name the resource too: the messages say more than an access.
    WrappedField(),
    Gateway(),
    RawSse(),
    CurlVerbose(),
    Otlp(),
    Tshark(),
    Enveloped(),
    JsonRpc(),
)

# They say who asked and hold no answers: their records are put beside the reads of other captures.
SIDECARS = frozenset((ToolHiveAudit.name, McpTrace.name))

_MAGIC = (
    (b"\x1f\x8b", "It is compressed with gzip."),
    (b"\x28\xb5\x2f\xfd", "It is compressed with Zstandard."),
    (b"PK\x03\x04", "It is a zip archive."),
    (b"\xfd7zXZ\x00", "It is compressed with xz."),
    (b"\xff\xfe", "It is UTF-16 text (little endian), not UTF-8."),
    (b"\xfe\xff", "It is UTF-16 text (big endian), not UTF-8."),
)


class NotACapture(Exception):
    """No format claims the bytes. The text is one sentence; `reasons` has one per format, by its name.

    `known` is set for a kind of file that is recognised and cannot hold reads, or must be converted first.
    """

    def __init__(
        self, sentence: str, reasons: tuple[tuple[str, str], ...] = (), known: KnownFile | None = None
    ) -> None:
        super().__init__(sentence)
        self.reasons = reasons
        self.known = known


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
    if compression_of(head) is BZIP2:
        raise NotACapture("It is compressed with bzip2.")
    if head[257:262] == b"ustar":
        raise NotACapture("It is a tar archive: unpack it and open the files in it.")
    if not head.strip():
        whole = len(head) < HEAD
        raise NotACapture("The file holds blank lines only." if whole else "Its first 64 KiB are blank.")
    known = known_file(head)
    if known is not None and known.kind == CONVERT:
        raise NotACapture(known.sentence, known=known)
    claims = [(each, each.detect(head)) for each in CAPTURE_FORMATS]
    # A file that usually holds no reads may hold some after all: then a format finds messages in it.
    if known is not None and all(claim.sureness < Sureness.LIKELY for _, claim in claims):
        raise NotACapture(known.sentence, known=known)
    found = choose(claims, head)
    if found is None:
        raise NotACapture(_nothing(head), tuple((each.name, claim.why) for each, claim in claims))
    return found


def recognise(source: Source, name: str | None = None) -> Detection:
    """Says which format reads an opened capture, and behind which layers of packing; raises what `detect` raises."""
    head, layers = source.head(), ", ".join(source.layers.names)
    if not head and source.head_fault:
        raise NotACapture(f"Nothing of it can be read: {source.head_fault}.")
    try:
        found = detect(head, name)
    except NotACapture as error:
        if not layers:
            raise
        raise NotACapture(f"Inside {layers}: {error}", error.reasons, error.known) from error
    return replace(found, why=f"{found.why} (inside {layers})") if layers else found


def holds_capture(path: str) -> bool:
    """Whether a file, or any member of an archive, is a capture; False where it cannot be opened."""
    try:
        for source in open_sources(path):
            if isinstance(source, Unopened):
                continue
            with source:
                try:
                    recognise(source)
                    return True
                except NotACapture:
                    if source.head_fault:
                        return True  # packed and damaged: what it held is lost, and that must be said
    except SourceError:
        pass
    return False


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
    "KNOWN_FILES",
    "SIDECARS",
    "CaptureFormat",
    "Claim",
    "Detection",
    "Direction",
    "Glance",
    "HttpExchange",
    "Kind",
    "KnownFile",
    "Message",
    "NotACapture",
    "Skipped",
    "Source",
    "SourceError",
    "Span",
    "Sureness",
    "Unopened",
    "detect",
    "glances_of",
    "holds_capture",
    "items_of",
    "open_source",
    "open_sources",
    "recognise",
]
