"""Files that are known and hold no reads: what each is, and which file to ask for instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

NO_READS = "no-reads"
CONVERT = "convert"


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A kind of file that no format reads.

    `kind` is `no-reads` (it cannot hold them: `ask` says what to ask the customer for) or `convert` (`ask` holds
    the command that makes a capture of it).
    """

    name: str
    title: str
    kind: str
    sign: Callable[[bytes], bool]
    ask: str

    @property
    def sentence(self) -> str:
        """One sentence for a person: what the file is, that it holds no reads, and what to do."""
        if self.kind == CONVERT:
            return f"It is {self.title}; convert it: {self.ask}."
        return f"It is {self.title}, which holds no messages and so no reads; ask for {self.ask}."


def known_file(head: bytes) -> KnownFile | None:
    """The kind of a file that begins with `head`; None where it is none of these."""
    return next((each for each in KNOWN_FILES if each.sign(head)), None)


def _lines(pattern: bytes, least: int = 1) -> Callable[[bytes], bool]:
    """At least `least` lines match from their beginning."""
    match = re.compile(pattern).match
    return lambda head: sum(1 for line in head.split(b"\n") if match(line)) >= least


def _magic(*starts: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(starts)


def _claude_code(head: bytes) -> bool:
    return any(
        line.startswith((b'{"debug":', b'{"error":')) and b'"timestamp":' in line and b'"sessionId":' in line
        for line in head.split(b"\n")
    )


def _flow(head: bytes) -> bool:
    """A tnetstring dictionary (length, colon, keys with their lengths) with a flow's keys."""
    if re.match(rb"\d{1,9}:\d{1,3}:[a-z_]{1,40};", head) is None:
        return False
    return any(key in head for key in (b"8:response;", b"7:request;", b"11:client_conn;", b"7:version;"))


KNOWN_FILES: tuple[KnownFile, ...] = (
    KnownFile(
        "pcap",
        "a packet capture",
        CONVERT,
        _magic(
            b"\xd4\xc3\xb2\xa1",
            b"\xa1\xb2\xc3\xd4",
            b"\x4d\x3c\xb2\xa1",
            b"\xa1\xb2\x3c\x4d",
            b"\x0a\x0d\x0d\x0a",
        ),
        "tshark -r FILE -Y http -T json --no-duplicate-keys",
    ),
    KnownFile("mitmproxy-flow", "a mitmproxy flow file", CONVERT, _flow, "mitmdump -nr FILE --set hardump=OUT.har"),
    KnownFile(
        "cursor-mcp",
        "Cursor's MCP log",
        NO_READS,
        _lines(rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[\w+\] [\w.-]+: (?:Handling \w+ action|Found \d+ tools)"),
        "the server's own log or a recording of the traffic (HAR, or the server's standard streams)",
    ),
    KnownFile(
        "claude-code-mcp",
        "a log that Claude Code keeps of an MCP server",
        NO_READS,
        _claude_code,
        "the transcript, ~/.claude/projects/FOLDER/SESSION.jsonl of the same session",
    ),
    KnownFile(
        "claude-code-debug",
        "Claude Code's debug log",
        NO_READS,
        _lines(rb'\d{4}-\d\d-\d\dT[\d:.]+Z \[\w+\] MCP server "[^"\n]*": '),
        "the transcript, ~/.claude/projects/FOLDER/SESSION.jsonl of the same session",
    ),
    KnownFile(
        "zed",
        "Zed's log",
        NO_READS,
        _lines(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d) +\w+ +\[context_server[\w:]*\] "),
        "the server's own log or a recording of the server's standard streams",
    ),
    KnownFile(
        "typescript-with-logging",
        "the request log of the TypeScript SDK's withLogging",
        NO_READS,
        _lines(rb"(?:\S{1,40} )?HTTP (?:POST|GET|DELETE) \S+ \d{3} [^\n(]{0,40}\(\d+(?:\.\d+)?ms\)"),
        "a HAR file or the server's own log of the same time",
    ),
)
