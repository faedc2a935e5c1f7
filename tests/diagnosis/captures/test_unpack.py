from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import random
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from diagnosis.captures import (
    Kind,
    Message,
    NotACapture,
    Skipped,
    Source,
    SourceError,
    Unopened,
    holds_capture,
    items_of,
    open_source,
    open_sources,
    recognise,
    sources,
)
from diagnosis.captures.archives import MEMBER_LIMIT
from diagnosis.captures.message import Span
from diagnosis.captures.unpack import Limits, amount
from diagnosis.diagnosis import diagnose

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ASK = b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docs://a"}}'
ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"docs://a","text":"x"}]}}'
LOG = ASK + b"\n" + ANSWER + b"\n"
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zstd": zstd.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}
packed = pytest.mark.parametrize("name", PACKERS)


def write(folder: Path, data: bytes, name: str = "capture") -> str:
    path = folder / name
    path.write_bytes(data)
    return str(path)


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return buffer.getvalue()


def items(source: Source) -> list[Message | Skipped]:
    """Every item; each message's record is what its span gives again."""
    found = list(items_of(source, recognise(source).format))
    spoken = [item for item in found if isinstance(item, Message)]
    assert source.read_many([item.span for item in spoken]) == [item.record for item in spoken]
    return found


def tally(found: list[Message | Skipped]) -> Counter[str]:
    return Counter("message" if isinstance(item, Message) else item.kind.value for item in found)


def problems(found: list[Message | Skipped]) -> list[Skipped]:
    return [item for item in found if isinstance(item, Skipped) and item.kind is Kind.UNREADABLE]


@packed
def test_a_compressed_log_is_read_like_a_plain_one(tmp_path: Path, name: str) -> None:
    data = PACKERS[name](LOG)
    with open_source(write(tmp_path, data)) as source:
        assert f"inside {name}" in recognise(source).why
        found = items(source)
        assert [(item.span.line, item.span.offset, item.span.length) for item in found] == [
            (1, 0, len(ASK)),
            (2, len(ASK) + 1, len(ANSWER)),
        ]
        assert source.sha256 == hashlib.sha256(data).hexdigest() and source.trouble is None
        assert source.file_size == source.packed_size == source.packed_read == len(data) and source.size == len(LOG)
        assert source.read(Span(source.path, 2, len(ASK) + 1, len(ANSWER))) == ANSWER
        assert source.read(Span(source.path, 2, len(ASK) + 1, 5000)) is None


@packed
def test_streams_one_after_another_with_padding_between_them(tmp_path: Path, name: str) -> None:
    pack = PACKERS[name]
    data = pack(ASK + b"\n") + b"\0" * 512 + pack(b"") + pack(ANSWER + b"\n") + b"\0" * 8
    with open_source(write(tmp_path, data)) as source:
        assert tally(items(source)) == {"message": 2}


@packed
def test_a_cut_stream_keeps_what_was_read(tmp_path: Path, name: str) -> None:
    noise = random.Random(7)
    lines = b"".join(
        b'{"jsonrpc":"2.0","id":"%s","method":"ping"}\n' % noise.randbytes(20).hex().encode() for _ in range(9000)
    )
    data = PACKERS[name](lines)
    with open_source(write(tmp_path, data[: len(data) * 2 // 3])) as source:
        # bzip2 gives nothing of a block before its end: one of 900 kB.
        found = items(source) if name != "bzip2" else []
        if name == "bzip2":
            with pytest.raises(NotACapture, match="ends early"):
                recognise(source)
            return
    last = problems(found)[-1]
    assert "ends early" in last.why and f"byte {last.span.offset} was read" in last.why
    assert tally(found)["message"] > 1000 and len(problems(found)) <= 2
    assert max(item.span.line for item in found) == len(found), "the lines add up"


@packed
@pytest.mark.parametrize("place", [0.3, 0.7])
def test_a_corrupt_stream_never_raises(tmp_path: Path, name: str, place: float) -> None:
    noise = random.Random(7).randbytes(200_000).hex().encode()
    data = bytearray(PACKERS[name](LOG + noise + b"\n" + LOG))
    data[int(len(data) * place)] ^= 0x55
    with open_source(write(tmp_path, bytes(data))) as source:
        text = b"\n".join(line for _, _, line in source.lines())
        assert name != "gzip" or (source.trouble is not None and "gzip" in source.trouble.why)
        # Of a damaged block bzip2 and zstd give nothing; the first one holds 900 kB and 128 KiB.
        if name in ("gzip", "xz") or (name == "zstd" and place > 0.5):
            assert text.startswith(LOG[:-1])


def test_a_wrong_checksum_loses_nothing(tmp_path: Path) -> None:
    data = bytearray(gzip.compress(LOG))
    data[-6] ^= 1
    with open_source(write(tmp_path, bytes(data))) as source:
        found = items(source)
    assert tally(found) == {"message": 2, "unreadable": 1}
    assert "incorrect data check" in problems(found)[0].why and problems(found)[0].span.line == 3


@packed
def test_what_follows_the_stream_is_reported(tmp_path: Path, name: str) -> None:
    for rest in (b"g", b"garbage" * 20_000):
        with open_source(write(tmp_path, PACKERS[name](LOG) + rest)) as source:
            found = items(source)
        assert tally(found) == {"message": 2, "unreadable": 1}
        assert f"{len(rest)} bytes behind the end" in problems(found)[0].why


def test_only_the_magic_makes_no_stream(tmp_path: Path) -> None:
    for data in (b"\x1f\x8b\x08", b"\x1f\x8b\x08" + b"x" * 50, b"\x28\xb5\x2f\xfd", b"BZh91AY&SY", b"\xfd7zXZ\x00"):
        with (
            open_source(write(tmp_path, data)) as source,
            pytest.raises(NotACapture, match="Nothing of it can be read"),
        ):
            recognise(source)
    with open_source(write(tmp_path, b"BZh9 is no magic\n" + LOG)) as source:
        assert tally(items(source)) == {"message": 2, "other": 1}


def test_an_empty_stream_is_empty(tmp_path: Path) -> None:
    for pack in PACKERS.values():
        with open_source(write(tmp_path, pack(b""))) as source, pytest.raises(NotACapture, match="empty"):
            recognise(source)


def test_two_compressions_are_undone_and_no_third(tmp_path: Path) -> None:
    with open_source(write(tmp_path, gzip.compress(lzma.compress(LOG)))) as source:
        assert source.layers.names == ("gzip", "xz") and tally(items(source)) == {"message": 2}
    deep = gzip.compress(gzip.compress(gzip.compress(LOG)))
    with open_source(write(tmp_path, deep)) as source, pytest.raises(NotACapture, match=r"Inside gzip, gzip: .* gzip"):
        recognise(source)


BLANKS = b" " * 127 + b"\n"


@pytest.mark.parametrize("name", ["gzip", "zstd", "xz"])
def test_a_bomb_ends_at_a_printed_limit(tmp_path: Path, name: str) -> None:
    data = PACKERS[name](LOG + BLANKS * 2**17 * 3)
    path = write(tmp_path, data)
    diagnosis = diagnose([path])
    (facts,) = diagnosis.captures
    assert facts.partial and facts.messages == 2 and facts.sha256 == hashlib.sha256(data).hexdigest()
    assert facts.lines == facts.blank + facts.messages + facts.other + facts.unreadable
    assert "more than 200 times its size" in diagnosis.problems[-1].why and "MiB" in diagnosis.problems[-1].why
    assert diagnosis.problems[-1].span.offset <= 2**25


def test_the_total_is_limited_and_printed(tmp_path: Path) -> None:
    limits = Limits(total=3 * len(LOG) + 5)
    for data, names in ((gzip.compress(LOG * 9), 1), (zipped(("a", LOG * 2), ("b", LOG * 9), ("c", LOG)), 3)):
        found: list[Message | Skipped] = []
        opened = list(open_sources(write(tmp_path, data), limits=limits))
        for source in opened:
            assert isinstance(source, Source)
            with source:
                found += items(source)
        assert len(opened) == names and tally(found)["message"] == 6
        assert any("not more is unpacked" in item.why for item in problems(found))


def test_small_logs_of_equal_lines_are_no_bombs(tmp_path: Path) -> None:
    with open_source(write(tmp_path, lzma.compress(LOG * 20_000))) as source:
        assert tally(items(source)) == {"message": 40_000}


def test_many_spans_are_read_in_one_pass_in_any_order(tmp_path: Path) -> None:
    lines = [b"%06d" % number * 3 for number in range(20_000)]
    path = write(tmp_path, gzip.compress(b"\n".join(lines)))
    source = open_source(path)
    source.close()
    spans = [Span(path, number + 1, number * 19, 18) for number in (19_999, 0, 7, 7, 12_345)]
    spans += [Span(path, 1, 10, 100_000), Span(path, 1, 379_998, 5), Span(path, 1, 379_999, 0)]
    found = source.read_many(spans)
    assert found[:5] == [lines[number] for number in (19_999, 0, 7, 7, 12_345)]
    assert found[5] == b"\n".join(lines)[10:100_010] and found[6:] == [None, b""]
    os.utime(path, ns=(1, 1))
    assert source.read_many(spans) == [None] * 8


def test_standard_input_may_be_compressed() -> None:
    (source,) = open_sources("-", io.BytesIO(gzip.compress(LOG)))
    assert isinstance(source, Source)
    with source:
        assert tally(items(source)) == {"message": 2} and source.path == "-"


def test_a_compressed_document_is_cut_into_its_elements(tmp_path: Path) -> None:
    with open_source(write(tmp_path, gzip.compress(b"[\n" + ASK + b",\n" + ANSWER + b"]\n"))) as source:
        found = items(source)
        assert [item.span.layers for item in found] == [("[0]",), ("[1]",)] and source.line_count == 3


# Archives


def test_members_are_captures_of_their_own_and_names_that_climb_are_harmless(tmp_path: Path) -> None:
    names = ("../../evil.jsonl", "/abs.jsonl", "ok.jsonl", "ok.jsonl")
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped(*((name, LOG) for name in names), ("folder/", b""), ("notes.txt", b"hello\n"), ("none", b""))
    path = write(tmp_path, data, "a.zip")
    diagnosis = diagnose([path])
    assert [facts.path for facts in diagnosis.captures] == [
        f"{path}!{name}" for name in ("../../evil.jsonl", "/abs.jsonl", "ok.jsonl", "ok.jsonl#2")
    ]
    assert all(facts.messages == 2 and facts.sha256 == hashlib.sha256(data).hexdigest() for facts in diagnosis.captures)
    assert {refusal.path for refusal in diagnosis.refusals} == {f"{path}!notes.txt", f"{path}!none"}
    assert os.listdir(tmp_path) == ["a.zip"] and not os.path.exists("/abs.jsonl"), "nothing is unpacked to disk"
    assert not any(os.path.exists(os.path.join(base, "../../evil.jsonl")) for base in (tmp_path, os.getcwd()))
    seen = diagnosis.judgements[2].read.request
    assert diagnosis.evidence(seen) == ASK


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_every_usual_method_of_zip(tmp_path: Path, method: int) -> None:
    (source,) = open_sources(write(tmp_path, zipped(("log", LOG), method=method)))
    assert isinstance(source, Source)
    with source:
        assert tally(items(source)) == {"message": 2} and source.packed_read == source.packed_size


def test_a_compressed_log_in_an_archive(tmp_path: Path) -> None:
    data = zipped(("log.gz", gzip.compress(LOG)), ("inner.zip", zipped(("log", LOG))), ("log.lzma", LOG))
    path = write(tmp_path, data, "a.zip")
    diagnosis = diagnose([path])
    assert diagnosis.captures[0].why.endswith("(inside zip, gzip)")
    assert "Inside zip: It is a zip archive" in diagnosis.refusals[0].sentence
    assert holds_capture(path) and not holds_capture(write(tmp_path, zipped(("x", b"hello"))))


def test_a_damaged_member_harms_no_other(tmp_path: Path) -> None:
    data = bytearray(zipped(("a", LOG), ("b", LOG), method=zipfile.ZIP_STORED))
    data[data.index(b"docs://a") + 7] = ord("b")
    first, second = open_sources(write(tmp_path, bytes(data)))
    assert isinstance(first, Source) and isinstance(second, Source)
    with first, second:
        found = items(first)
        assert tally(found) == {"message": 2, "unreadable": 1} and "checksum" in problems(found)[0].why
        assert tally(items(second)) == {"message": 2}


def test_a_member_that_stands_nowhere_harms_no_other(tmp_path: Path) -> None:
    whole = zipped(("a", LOG), ("b", LOG))
    for offset in (0xFFFFFFF0, 3, len(whole) - 4):
        data = bytearray(whole)
        place = data.index(b"PK\x01\x02") + 42
        data[place : place + 4] = offset.to_bytes(4, "little")
        first, second = open_sources(write(tmp_path, bytes(data)))
        assert isinstance(first, Unopened) and "does not stand" in first.sentence
        assert isinstance(second, Source)
        with second:
            assert tally(items(second)) == {"message": 2}


def test_encrypted_and_unknown_members_are_refused_by_name(tmp_path: Path) -> None:
    secret = bytearray(zipped(("a", LOG), method=zipfile.ZIP_STORED))
    secret[secret.index(b"PK\x01\x02") + 8] |= 1
    (refused,) = open_sources(write(tmp_path, bytes(secret)))
    assert isinstance(refused, Unopened) and "encrypted" in refused.sentence
    (refused,) = open_sources(write(tmp_path, zipped(("a", LOG), method=zipfile.ZIP_LZMA)))
    assert isinstance(refused, Unopened) and "method 14" in refused.sentence


def test_broken_archives_say_so(tmp_path: Path) -> None:
    whole = zipped(("a", LOG))
    for data, sentence in (
        (whole[:-30], "cut or broken"),
        (b"PK\x03\x04", "cut or broken"),
        (zipped(), "holds no file"),
        (zipped(*((f"{'x' * 60_000}{number}", b"") for number in range(80))), "longer than 4 MiB"),
    ):
        with pytest.raises(SourceError, match=sentence):
            list(open_sources(write(tmp_path, data)))


def test_members_are_counted_and_limited(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    found = list(open_sources(write(tmp_path, zipped(*((str(number), b"") for number in range(MEMBER_LIMIT + 3))))))
    during = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 1
    assert len(found) == MEMBER_LIMIT + 1 and during == before + 1, "members share a descriptor"
    assert isinstance(found[-1], Unopened) and "; 3 more were not" in found[-1].sentence
    for each in found[:-1]:
        assert isinstance(each, Source)
        each.close()
    assert not os.path.isdir("/proc/self/fd") or len(os.listdir("/proc/self/fd")) == before


def test_a_tar_archive_is_named(tmp_path: Path) -> None:
    tar = b"log.jsonl".ljust(257, b"\0") + b"ustar\0" + b"\0" * 249 + LOG
    with open_source(write(tmp_path, gzip.compress(tar))) as source, pytest.raises(NotACapture, match="tar archive"):
        recognise(source)


# Text


@pytest.mark.parametrize(
    ("codec", "mark"),
    [*((f"utf-{size}-{end}e", "\ufeff") for size in (16, 32) for end in "lb"), ("utf-16-le", ""), ("utf-16-be", "")],
)
def test_other_charsets_are_read_as_utf8(tmp_path: Path, codec: str, mark: str) -> None:
    text = LOG.decode().replace('"x"', '"Größe 🙂"').replace("\n", "\r\n")
    with open_source(write(tmp_path, (mark + text).encode(codec))) as source:
        found = items(source)
        assert tally(found) == {"message": 2} and source.layers.names == (codec.upper(),)
        assert source.head() == text.encode() and source.size == len(text.encode())
        assert found[1].span.offset == text.encode().index(b"\n") + 1


def test_half_a_surrogate_pair_costs_its_line_alone(tmp_path: Path) -> None:
    bad = ASK.decode().encode("utf-16-le").replace("a".encode("utf-16-le"), b"\x00\xd8", 1)
    data = LOG.decode().encode("utf-16-le") + bad + LOG.decode().encode("utf-16-le")
    with open_source(write(tmp_path, data)) as source:
        found = items(source)
    assert tally(found)["message"] == 3 and len(problems(found)) == 1 and "not UTF-8" in problems(found)[0].why


def test_a_cut_character_is_a_problem_of_its_own(tmp_path: Path) -> None:
    with open_source(write(tmp_path, LOG.decode().encode("utf-16-le") + b"{")) as source:
        found = items(source)
    assert tally(found) == {"message": 2, "unreadable": 1} and "UTF-16-LE text is broken" in problems(found)[0].why


def test_two_stray_bytes_are_no_charset(tmp_path: Path) -> None:
    with open_source(write(tmp_path, b"\xff\xfe\0\n" + LOG)) as source:
        assert source.layers.none
    with open_source(write(tmp_path, b"\0" * 4096)) as source:
        assert source.layers.none


def test_marks_in_the_middle_and_mixed_line_ends(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    data = mark + ASK + b"\r\n" + mark + ANSWER + b"\n\r\n" + ASK + b"\r\n\n" + mark + b"\n"
    with open_source(write(tmp_path, data)) as source:
        found = items(source)
        assert source.layers.none and tally(found)["message"] == 3 and not problems(found)
        assert source.line_count == 6 == len(found)


def test_colours_are_taken_out_before_parsing_and_evidence_keeps_them(tmp_path: Path) -> None:
    red, off = b"\x1b[01;31m\x1b[K", b"\x1b[0m"
    asked = red + ASK[:12] + off + ASK[12:]
    answered = b"\x1b[2m" + ANSWER + off + b"\r"
    data = b"plain\n" + asked + b"\n" + off + b"\n" + b"\x1b[32mready" + off + b"\n" + answered + b"\n" + ASK
    for packing in (lambda whole: whole, gzip.compress):
        with open_source(write(tmp_path, packing(data))) as source:
            found = items(source)
        assert [data[item.span.offset : item.span.offset + item.span.length] for item in found] == data.split(b"\n")
        assert tally(found) == {"message": 3, "other": 2, "blank": 1}
        assert [item.span.line for item in found] == [1, 2, 3, 4, 5, 6]
        (ready,) = (item for item in found if isinstance(item, Skipped) and b"ready" in item.excerpt)
        assert ready.excerpt.startswith(b"\x1b[32m")


def test_a_coloured_value_over_several_lines(tmp_path: Path) -> None:
    pretty = ASK.replace(b",", b",\n").replace(b"{", b"{\n").replace(b'"id"', b'\x1b[34m"id"\x1b[0m') + b"\n"
    with open_source(write(tmp_path, b"\x1b[0m" + pretty + pretty)) as source:
        first, second = items(source)
    assert isinstance(first, Message) and first.record == b"\x1b[0m" + pretty[:-1]
    assert isinstance(second, Message) and second.record == pretty[:-1] and second.span.offset == len(pretty) + 4


def test_old_coloured_lines_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diagnosis.captures.colours._WINDOW", 1)
    monkeypatch.setattr(sources, "BLOCK", 7)
    data = (b"\x1b[1m" + ASK + b"\n") * 5
    with open_source(write(tmp_path, data)) as source:
        assert tally(items(source)) == {"message": 5}


def test_other_control_sequences_stay(tmp_path: Path) -> None:
    data = LOG + ASK.replace(b"docs", b"\x1b[2Jdocs")
    with open_source(write(tmp_path, data)) as source:
        assert tally(items(source)) == {"message": 2, "unreadable": 1}


@pytest.mark.parametrize("block", [1, 2, 5, 64])
def test_a_coloured_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(sources, "HEAD", 4096)
    text = b"\x1b[1;39m[" + ASK.replace(b":", b"\x1b[0m:") + b",\x1b[32m\n" + ANSWER + b"]\x1b[0m\n"
    with open_source(write(tmp_path, text)) as source:
        kept = source._disk
        monkeypatch.setattr(source, "_disk", lambda fd, step=block, digest=None: kept(fd, block, digest))
        found = items(source)
        assert tally(found) == {"message": 2} and source.layers.names == ("terminal colours",)


def test_amounts_are_in_words() -> None:
    assert [amount(size) for size in (5, 1024, 1536, 2**30, 2**30 + 2**29)] == [
        "5 bytes", "1 KiB", "1.5 KiB", "1 GiB", "1.5 GiB",
    ]  # fmt: skip


SAMPLES = Path(__file__).parents[4] / "shared" / "formats"


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the folder of shared sample captures is absent")
@pytest.mark.parametrize("pattern", ["enc_gzip*", "enc_zstd*", "enc_powershell*", "enc_utf8*"])
def test_packed_samples_of_the_common_session(pattern: str) -> None:
    (path,) = SAMPLES.glob(pattern)
    diagnosis = diagnose([str(path)])
    assert [judgement.read.response is not None for judgement in diagnosis.judgements] == [True] * 4
    assert diagnosis.captures[0].messages == 13 and not diagnosis.problems
