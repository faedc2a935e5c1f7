"""Every format against every sample: the owner is as sure as it can honestly be, and nobody else is certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnosis.captures import (
    CAPTURE_FORMATS,
    KNOWN_FILES,
    NotACapture,
    Sureness,
    Unopened,
    detect,
    open_sources,
    recognise,
)
from tests.diagnosis.captures.expected import FOLDER, NAMES, table
from tests.diagnosis.captures.samples import KNOWN, samples

OURS = Path(__file__).parents[3] / "sample_traces"
TRACES = sorted(path for path in OURS.iterdir() if path.suffix in (".jsonl", ".log", ".har"))
# They take a message in the record of any tool, so they are never certain.
LIKELY = frozenset({"enveloped", "wrapped-field"})
# Bare messages among the other output of a program.
AMONG_OTHERS = frozenset({"stdio_pair_stdout.log", "quirk_mixed_stdout_noise.log"})


def sureness(head: bytes) -> dict[str, Sureness]:
    return {each.name: each.detect(head).sureness for each in CAPTURE_FORMATS}


def level(name: str) -> Sureness:
    return Sureness.LIKELY if name in LIKELY else Sureness.CERTAIN


def check(head: bytes, owner: str, own: Sureness) -> None:
    sure = sureness(head)
    assert sure.pop(owner) is own
    assert [name for name, each in sure.items() if each is Sureness.CERTAIN] == []


@pytest.mark.parametrize(("owner", "data"), [pytest.param(*each, id=each[0]) for each in samples()])
def test_the_owner_reads_its_sample_and_no_other_format_is_certain(owner: str, data: bytes) -> None:
    head = data[: 64 * 1024]
    check(head, owner, level(owner))
    found = detect(head)
    as_sure = tuple(name for name, each in sureness(head).items() if name != owner and each >= level(owner))
    assert (found.format.name, found.sureness, found.others, found.mixed) == (owner, level(owner), as_sure, ())
    assert found.why


def test_every_format_has_a_sample() -> None:
    assert {owner for owner, _ in samples()} == {each.name for each in CAPTURE_FORMATS}
    assert KNOWN.keys() == {each.name for each in KNOWN_FILES}


@pytest.mark.parametrize("name", KNOWN)
def test_a_file_that_is_known_and_not_read_is_nobodys(name: str) -> None:
    assert set(sureness(KNOWN[name]).values()) == {Sureness.NO}
    with pytest.raises(NotACapture) as refused:
        detect(KNOWN[name])
    assert refused.value.known is not None and refused.value.known.name == name


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_one_format_at_most_is_certain_of_our_own_traces(path: Path) -> None:
    head = path.read_bytes()[: 64 * 1024]
    found = detect(head)
    check(head, found.format.name, level(found.format.name))
    assert found.others == ()


@pytest.mark.skipif(not table(), reason="the table of shared sample captures is absent")
@pytest.mark.parametrize("row", table(), ids=lambda row: row["file"])
def test_the_owner_of_a_shared_sample_and_nobody_else(row: dict[str, str]) -> None:
    owner = NAMES.get(row["format_id"], row["format_id"])
    for source in open_sources(str(FOLDER / row["file"])):
        assert not isinstance(source, Unopened)
        with source:
            if owner not in sureness(b""):
                assert Sureness.CERTAIN not in sureness(source.head()).values()
                with pytest.raises(NotACapture):
                    recognise(source)
                continue
            own = Sureness.LIKELY if row["file"] in AMONG_OTHERS else level(owner)
            check(source.head(), owner, own)
            assert recognise(source).format.name == owner
