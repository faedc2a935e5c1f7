"""A typed filter on its way over the reads, a slice at a time, so that every key is answered meanwhile."""

from __future__ import annotations

from collections.abc import Sequence

from app.shown import Shown
from diagnosis.query.filters import SLICE, Filter, in_slices
from diagnosis.questions.judgement import Judgement


class Filtering:
    """What a filter matched so far. `upto` reads were looked at; `found` are the indices of those that match."""

    def __init__(self, wanted: Filter) -> None:
        self.wanted = wanted
        self.found: list[int] = []
        self.upto = 0
        self.hindrance = ""

    def step(self, judgements: Sequence[Judgement]) -> bool:
        """Looks at the next slice of reads; False where none is left."""
        piece = next(in_slices(self.wanted.matches, judgements, self.upto, SLICE), None)
        if piece is None:
            return False
        self.found += piece.found
        self.upto = piece.stop
        return True

    def again(self) -> None:
        """The reads were judged anew: what matched before says nothing."""
        self.found, self.upto, self.hindrance = [], 0, ""

    def shown(self) -> Shown:
        """The part of the reads that it shows."""
        return Shown(("filter", self.wanted.text), f"/ {self.wanted.text}", lambda _: self.found)
