"""Hostile files of our own: one or more of each kind, so that the test holds wherever the large set is absent."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.bad_inputs.expected import NOTHING, Expected, plain

ESC, BEL = "\x1b", "\x07"
URI = "report://northwind/2025-10"
TOKEN = "gh" + "p_CANARYgithub0123456789abcdefABCDEF01"  # in two parts, so that no scanner takes it for a live one
BEARER = "CANARYbearer0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Own:
    """A file, what it must give, and what must stand in no export."""

    name: str
    data: bytes
    expected: Expected
    canaries: tuple[str, ...] = ()


def ask(number: object, uri: object = URI, **more: object) -> dict[str, Any]:
    """A read."""
    return {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": uri}, **more}


def answer(number: object, uri: object = URI, text: str = '{"tenant":"northwind"}') -> dict[str, Any]:
    """Its answer."""
    contents = [{"uri": uri, "mimeType": "application/json", "text": text}]
    return {"jsonrpc": "2.0", "id": number, "result": {"contents": contents}}


def lines(*records: dict[str, Any] | list[Any] | str | bytes) -> bytes:
    """Records as lines; text and bytes as they are."""
    out = []
    for each in records:
        text = json.dumps(each, ensure_ascii=False) if isinstance(each, dict | list) else each
        out.append(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    return b"\n".join(out) + b"\n"


GOOD = lines(ask("good"), answer("good"))

ATTACKS = {
    "csi": f"{ESC}[2J{ESC}[1;1H{ESC}[31mNO FINDINGS",
    "osc": f"{ESC}]52;c;UFdO{BEL}{ESC}]0;root@prod{BEL}{ESC}]8;;https://evil.example/{ESC}\\x",
    "modes": f"{ESC}[?1049l{ESC}[?25l{ESC}c\x0e{ESC}P+q544e{ESC}\\",
    "c1": "\x9b31m\x9d52;c;UFdO\x9c\x90x\x9c",
    "c0": "a\x00b\x07c\x08\rOK\x0b\x0c\x7fe",
    "bidi": "\u202egpj.exe\u202c \u2066x\u2069 \u061c",
    "invisible": "north\u200bwind\u2060\ufeff\u00ad\u180e\U000e0041\ufe0f",
    "zalgo": "e" + "\u0301" * 500,
    "noncharacters": "\ufffe\uffff\U0010ffff\ue000",
    "markup": '[bold red]x[/] [@click=app.quit]y[/] [link="https://evil.example"]z[/] [a="b] [/b] [100%]',
    "markdown": "```\n# Approved\n````\n| a | `b`` <script>x</script> ![p](https://evil.example/b.png) @user #1\n---\n",
    "chat": "<!channel> <@U1> {code}{html} *b* https://evil.example",
}


def own() -> Iterator[Own]:
    """All of them."""
    yield Own("empty.jsonl", b"", NOTHING)
    yield Own("blank.jsonl", b"\n\n \t\r\n\n", NOTHING)
    yield Own("zeros.jsonl", b"\0" * 4096, NOTHING)
    yield Own("zeros-behind.jsonl", GOOD + b"\0" * 2048, plain(2, 1, 3, 1))
    yield Own(
        "mark-on-each-line.jsonl", b"".join(b"\xef\xbb\xbf" + each + b"\n" for each in GOOD.splitlines()), plain(2, 1)
    )
    yield Own("latin-1.jsonl", GOOD + lines(ask(2, "docs://cafe")).replace(b"cafe", b"caf\xe9"), plain(2, 1, 3, 1))
    yield Own("overlong.jsonl", GOOD + lines(ask(2, "docs://ab")).replace(b"ab", b"a\xc0\xafb"), plain(2, 1, 3, 1))
    yield Own("crlf.jsonl", GOOD.replace(b"\n", b"\r\n"), plain(2, 1))
    yield Own("utf-16.jsonl", GOOD.decode().encode("utf-16"), plain(2, 1))
    yield Own("cut.jsonl", GOOD + lines(ask(2))[:-9], plain(2, 1, 3, 1))
    yield Own("no-end.jsonl", GOOD[:-1], plain(2, 1))
    yield Own("two-on-a-line.jsonl", GOOD.replace(b"}\n{", b"}{"), Expected(2, 1, 1, 0, 1, 0, 0, 0))
    yield Own("noise.jsonl", lines(ask(1), "noise }{", b"", answer(1), '{"noise'), Expected(2, 1, 5, 1, 2, 1, 1, 3))
    yield Own("long.jsonl", lines(ask(1), answer(1, text="word " * 200_000)), plain(2, 1))
    yield Own("depth-300.jsonl", GOOD + lines('{"id":2,"result":%s}' % ("[" * 300 + "]" * 300)), plain(3, 1))
    yield Own("depth-100000.jsonl", GOOD + lines('{"id":2,"result":%s}' % ("[" * 100_000)), plain(2, 1, 3, 1))
    yield Own("nan.jsonl", GOOD + lines('{"jsonrpc":"2.0","id":2,"result":NaN}'), plain(2, 1, 3, 1))
    yield Own("raw-escape.jsonl", GOOD + b'{"jsonrpc":"2.0","id":"\x1b[2J"}\n', plain(2, 1, 3, 1))
    yield Own("big-ids.jsonl", lines(ask(2**64), ask(2**64 + 1), answer(2**64 + 1), answer(2**64)), plain(4, 2))
    yield Own("odd-ids.jsonl", lines(*(ask(each) for each in (1.0, True, None, [1], {"a": 1}))), plain(5, 5))
    yield Own("batch.jsonl", lines([ask(1), ask(2)], [answer(2), answer(1)]), Expected(4, 2, 2, 0, 2, 0, 0, 0))
    yield Own("scalars.jsonl", GOOD + lines("1", "null", "[]", "{}", '"resources/read"'), plain(2, 1, 0, 0, 5))
    wrong = [ask(number, uri) for number, uri in enumerate((None, 7, ["docs://a"], "", {}))]
    yield Own("no-uri.jsonl", lines(*wrong), plain(5, 5))
    odd = [{"jsonrpc": "2.0", "id": 1, "result": each} for each in (None, [], "x", {"contents": [None, 1]})]
    yield Own("no-contents.jsonl", lines(ask(1), *odd), plain(5, 1))
    for name, attack in ATTACKS.items():
        uri = "docs://a/" + attack
        yield Own(f"attack-{name}.jsonl", lines(ask(attack, uri), answer(attack, uri, attack)), plain(2, 1, 1))
    yield Own("secret-beside.jsonl", lines(ask(1, _meta={"authorization": f"Bearer {BEARER}"})), plain(1, 1), (BEARER,))
    yield Own("secret-in-uri.jsonl", lines(ask(1, f"docs://a/{TOKEN}?token={BEARER}")), plain(1, 1), (TOKEN, BEARER))
    secret = GOOD + lines('{"jsonrpc":"2.0","Authorization":"Bearer ' + BEARER + '",')
    yield Own("secret-in-a-bad-line.jsonl", secret, plain(2, 1, 3, 1), (BEARER,))
    body = json.dumps({"tenant": "contoso", "iban": "DE00CANARY0000"})
    yield Own("secret-document.jsonl", lines(ask(1), answer(1, text=body)), plain(2, 1), ("DE00CANARY0000",))
    yield from _packed()


def _packed() -> Iterator[Own]:
    yield Own("good.gz", gzip.compress(GOOD, mtime=0), plain(2, 1))
    yield Own("good.bz2", bz2.compress(GOOD), plain(2, 1))
    yield Own("good.xz", lzma.compress(GOOD), plain(2, 1))
    yield Own("rubbish-behind.gz", gzip.compress(GOOD, mtime=0) + b"garbage", plain(2, 1, 3, 1))
    yield Own("bomb.gz", gzip.compress(b" " * (64 << 20), mtime=0), NOTHING)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("../../evil.jsonl", "/abs.jsonl"):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), GOOD)
    yield Own("climbs-out.zip", packed.getvalue(), plain(4, 2))
