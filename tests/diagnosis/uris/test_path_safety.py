"""The path screen, against values observed on the Python SDK and against that SDK itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagnosis.uris.path_safety import (
    Danger,
    contains_path_traversal,
    is_absolute_path,
    resolve_dots,
    screen,
    screen_layers,
)

PASSES = ["", "a", "a/b", "a/..", "a/../b", "..a", "a..", "...", "v1.0..v2.0", "HEAD~3..HEAD", "%2E%2E"]
PASSES += ["..%2Fetc", "..%252Fetc", "a//../b", "xy:z", "1:2", "é:x", "~/x", "~root", ". .", ".. ", "..;/x"]
PASSES += ["\uff0e\uff0e/x", "file:///etc/passwd", "."]
TRAVERSES = ["..", "../etc", "a/../..", "a/../../b", "./..", "..\\etc", "a\\..\\..\\b", "a/..\\../b"]
TRAVERSES += ["a//../../b", "../docs-evil/x"]
ABSOLUTE = ["/etc/passwd", "//x", "\\x", "\\\\server\\share", "/"]
DRIVES = ["C:\\Windows", "C:foo", "c:", "x:y", "x:"]


@pytest.mark.parametrize("value", PASSES)
def test_passes(value: str) -> None:
    assert screen(value) is None


@pytest.mark.parametrize(
    ("values", "danger"),
    [
        (TRAVERSES, Danger.TRAVERSAL),
        (ABSOLUTE, Danger.ABSOLUTE),
        (DRIVES, Danger.DRIVE),
        (["a\0b", "..\0", "/\0"], Danger.NUL),
    ],
)
def test_refuses(values: list[str], danger: Danger) -> None:
    for value in values:
        found = screen(value)
        assert found is not None and found.danger is danger and found.value == value


@settings(deadline=None)  # the first example imports the SDK
@given(st.text(alphabet="aC:./\\é%2\0 ", max_size=10))
def test_sdk_agrees(value: str) -> None:
    sdk = pytest.importorskip("mcp.shared.path_security")
    assert contains_path_traversal(value) == sdk.contains_path_traversal(value)
    assert is_absolute_path(value) == sdk.is_absolute_path(value)


def test_layers() -> None:
    bait = screen_layers("..%252F..%252Fetc")
    assert (bait.raw, bait.once) == (None, None) and bait.bait
    assert bait.twice is not None and bait.twice.value == "../../etc"
    once = screen_layers("..%2Fetc")
    assert once.raw is None and once.once is not None and not once.bait
    assert screen_layers("a%2Fb").twice is None
    nul = screen_layers("a%00")
    assert nul.once is not None and nul.once.danger is Danger.NUL


@pytest.mark.parametrize(
    ("path", "resolved"),
    [
        ("acme/../northwind/x", "northwind/x"),
        ("a/./b", "a/b"),
        ("../a", "../a"),
        ("a/../../b", "../b"),
        ("/../a", "/a"),
        ("/a/b/..", "/a/"),
        ("a/b/.", "a/b/"),
        ("a//../b", "a/b"),
        ("a/..", ""),
        ("v1..v2/x", "v1..v2/x"),
        ("", ""),
    ],
)
def test_resolve_dots(path: str, resolved: str) -> None:
    assert resolve_dots(path) == resolved
