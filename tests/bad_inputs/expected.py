"""What each hostile file must give: counted from its bytes with the standard library, or decided by hand with a reason.

Nothing here is copied from what the program says. The rules: a line that is blank is blank; one that begins with a
brace or a bracket and is no JSON is unreadable; a JSON object with one of `method`, `result`, `error` is a message,
alone or as a member of an array; everything else is other. A character that RFC 3986 gives no place in a URI is a
finding in every read, whatever else is known. With a finding the status is 1, else 3 where a line was unreadable or
nothing was read, else 0.
"""

from __future__ import annotations

import json
import string
from dataclasses import dataclass
from typing import Any, NoReturn

MEMBERS = {"method", "result", "error"}
# RFC 3986, section 2: unreserved, gen-delims, sub-delims, and the percent sign.
_URI_CHARACTERS = frozenset(string.ascii_letters + string.digits + "-._~" + ":/?#[]@" + "!$&'()*+,;=" + "%")


@dataclass(frozen=True, slots=True)
class Expected:
    """Counts of lines but for `messages` and `reads`; `message_lines` hold at least one message.

    Where no capture is recognised only `status` and the two zeros count.
    """

    messages: int
    reads: int
    lines: int
    blank: int
    message_lines: int
    other: int
    unreadable: int
    status: int

    @property
    def opened(self) -> bool:
        """Whether there is a capture at all: without a message nothing is known to be one."""
        return self.messages > 0


NOTHING = Expected(0, 0, 0, 0, 0, 0, 0, 3)
REFUSED = Expected(0, 0, 0, 0, 0, 0, 0, 2)


def plain(messages: int, reads: int, status: int = 0, unreadable: int = 0, other: int = 0) -> Expected:
    """One message on each line, and these lines beside them."""
    return Expected(messages, reads, messages + unreadable + other, 0, messages, other, unreadable, status)


def counted(data: bytes) -> Expected:
    """Counts the lines of a file by the rules above."""
    blank = message_lines = other = unreadable = messages = reads = 0
    faulty = False
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for line in lines:
        text = line.removeprefix(b"\xef\xbb\xbf").strip()
        if not text:
            blank += 1
            continue
        try:
            found = _messages(json.loads(text.decode("utf-8"), parse_constant=_refuse))
        except (ValueError, RecursionError):
            if text[:1] in (b"{", b"["):
                unreadable += 1
            else:
                other += 1
            continue
        messages += len(found)
        message_lines += bool(found)
        other += not found
        for each in found:
            if each.get("method") == "resources/read":
                reads += 1
                faulty = faulty or _is_faulty(each)
    if not messages:
        return NOTHING
    status = 1 if faulty else 3 if unreadable else 0
    return Expected(messages, reads, len(lines), blank, message_lines, other, unreadable, status)


def _messages(value: object) -> list[dict[str, Any]]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, dict) and each.keys() & MEMBERS]


def _is_faulty(read: dict[str, Any]) -> bool:
    params = read.get("params")
    uri = params.get("uri") if isinstance(params, dict) else None
    return isinstance(uri, str) and not _URI_CHARACTERS.issuperset(uri)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


# Where the rules above do not decide, where an honest tool has a choice, or where the index leaves the answer open.
DECIDED: dict[str, tuple[Expected, str]] = {
    "bytes-nul-tail.jsonl": (plain(2, 1, 3, 1), "NULs are no text: the disk lost what stood there"),
    "bytes-utf16le-bom.jsonl": (plain(2, 1), "UTF-16 is decoded; nothing is guessed with a mark and NULs"),
    "bytes-utf16be-nobom.jsonl": (plain(2, 1), "NULs in every other byte of JSON name the charset without a mark"),
    "bytes-lone-surrogate.jsonl": (
        plain(4, 2, 1),
        "JSON allows the escape: the message is read and marked, and a surrogate has no place in a URI",
    ),
    "bytes-cr-only.jsonl": (Expected(2, 1, 1, 0, 1, 0, 0, 0), "both documents of the one line are whole"),
    "bytes-two-docs-one-line.jsonl": (Expected(2, 1, 1, 0, 1, 0, 0, 0), "both documents of the line are whole"),
    "bytes-log-prefix.jsonl": (NOTHING, "no format knows the prefix: refused, saying that messages stand in it"),
    "json-depth-1000.jsonl": (plain(4, 2), "JSON has no limit of depth; the one that is read to is 1024"),
    "json-depth-1100.jsonl": (plain(3, 2, 3, 1), "deeper than 1024"),
    "json-number-nan.jsonl": (plain(2, 1, 3, 1), "NaN is no JSON: the line is unreadable"),
    "json-number-infinity.jsonl": (plain(2, 1, 3, 1), "Infinity is no JSON"),
    "json-number--infinity.jsonl": (plain(2, 1, 3, 1), "-Infinity is no JSON"),
    "json-number-1e400.jsonl": (plain(3, 2), "valid JSON; only the number is too large, and nothing rests on it"),
    "json-dup-method.jsonl": (
        Expected(2, 0, 2, 0, 1, 0, 1, 3),
        "the last method wins in the message; a read that another reader sees there is a line not read by us",
    ),
    "ids-5000-digits.jsonl": (
        plain(2, 1, 3, 1),
        "no number of a program has 5000 digits; a cut id would pair with another one's answer",
    ),
    "shape-array-file.json": (
        Expected(2, 1, 2, 0, 2, 0, 0, 0),
        "a document is counted by its elements: 2, whatever lines they are printed on",
    ),
    "shape-neither.jsonl": (plain(1, 1, 0, 0, 1), "JSON, and no message: the read has no answer"),
    "templates-overlap.jsonl": (plain(4, 1, 1), "a space is no character of a URI, whatever a catch-all explains"),
    "templates-swapped-later.jsonl": (
        plain(6, 1, 1),
        "by the template listed before the read its last value holds a slash; the later list is too late",
    ),
    "packed-bomb.jsonl.gz": (NOTHING, "its first 64 KiB are blank"),
    "packed-bomb-nested.jsonl.gz": (NOTHING, "its first 64 KiB are blank, two layers down"),
    "packed-bomb.jsonl.zst": (NOTHING, "its first 64 KiB are blank"),
    "packed-good.jsonl.gz": (plain(2, 1), "gzip is read"),
    "packed-cut.jsonl.gz": (
        plain(383, 192, 3, 2),
        "all whole lines before the cut, which fell into line 384; then what is missing",
    ),
    "packed-two-members.jsonl.gz": (plain(2, 1), "all streams of a file are read"),
    "packed-trailing-garbage.jsonl.gz": (plain(2, 1, 3, 1), "the 7 bytes behind the messages are unreadable"),
    "packed-misnamed.jsonl": (plain(2, 1), "compression is known by content, never by name"),
    "packed-slip.zip": (plain(6, 3), "three members of two messages, read in memory"),
    "special/folder.jsonl": (NOTHING, "a folder without files: nothing was read, and it is no error to name one"),
    "special/loop-a.jsonl": (REFUSED, "it cannot be opened, like a name that does not exist"),
    "special/loop-b.jsonl": (REFUSED, "it cannot be opened"),
    "special/dangling.jsonl": (REFUSED, "there is nothing behind the link"),
    "special/export-target.md": (NOTHING, "as an input it is the text file behind the link, and no capture"),
    "special/fifo.jsonl": (NOTHING, "a FIFO is refused by name: waiting for a writer could last for ever"),
}
# A root user may read what nobody may; then it is like its neighbours.
LOCKED = "special/no-permission.jsonl"
