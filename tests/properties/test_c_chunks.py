"""(c) However a session is cut while it is written, following it gives what one read of it gives."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from diagnosis import diagnose
from tests.diagnosis.test_follow import Log, counts
from tests.properties.strategies import conversations, lines, request, thorough


@thorough(30)
@given(conversations(), st.lists(st.integers(0, 10**6), max_size=12))
def test_any_split_gives_the_same(session: list[Any], places: list[int]) -> None:
    data = lines([request("first", "note://a"), *session])
    cuts = sorted({0, len(data), *(place % len(data) for place in places)})
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder))
        followed = log.follow([log.append(data[start:end]) for start, end in pairwise(cuts)])
        whole = diagnose([str(log.path)])
    assert followed.judgements == whole.judgements
    assert counts(followed) == counts(whole)
    assert [each.span for each in followed.problems] == [each.span for each in whole.problems]
