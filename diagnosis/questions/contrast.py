"""Who was served the same URI close by: what makes a bare "not found" for another caller telling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from diagnosis.reads.clock import time_line
from diagnosis.reads.read import DocumentKind, Outcome, Read

CLOSE = timedelta(minutes=10)  # a refusal and an answer further apart may differ for other reasons
NEAR = 100  # messages; what counts as close where two times cannot be compared: a minute or so of a busy server

_Caller = tuple[str, str]  # who was served, and by which server ("" unknown)
_Line = str | None  # on which line of time a read stands, None where it has no usable time


class ServedReads:
    """The reads that brought a document, by URI, in buckets as wide as what counts as close.

    Of one caller a bucket keeps its first and last place only, so that asking costs the same in a log of any length.
    """

    def __init__(self) -> None:
        self._by_time: defaultdict[tuple[str, str, str, int], dict[_Caller, tuple[float, float]]] = defaultdict(dict)
        self._by_order: defaultdict[tuple[str, str, int], dict[tuple[_Caller, _Line], tuple[float, float]]] = (
            defaultdict(dict)
        )

    def add(self, read: Read, who: str) -> None:
        """Takes a read of a known caller; one without a document is left out."""
        if read.uri is None or not _brought_a_document(read):
            return
        caller = (who, read.server)
        timed = time_line(read.capture, read.time, read.time_basis)
        line = None
        if timed is not None:
            line, seconds = timed
            bucket = self._by_time[read.capture_set, read.uri, line, int(seconds // CLOSE.total_seconds())]
            bucket[caller] = _stretched(bucket.get(caller), seconds)
        places = self._by_order[read.capture_set, read.uri, read.position // NEAR]
        places[caller, line] = _stretched(places.get((caller, line)), read.position)

    def near(self, read: Read, who: str) -> str | None:
        """Another caller who was served the read's URI by its server in the same captures, and close to it.

        Close is within ten minutes; where two times cannot be compared, within a hundred messages.
        """
        for other, server in (*self._near_in_time(read), *self._near_in_order(read)):
            if other != who and (not server or not read.server or server == read.server):
                return other
        return None

    def _near_in_time(self, read: Read) -> Iterator[_Caller]:
        timed = time_line(read.capture, read.time, read.time_basis)
        if timed is None or read.uri is None:
            return
        line, seconds = timed
        width = CLOSE.total_seconds()
        for number in _around(seconds, width):
            bucket = self._by_time.get((read.capture_set, read.uri, line, number), {})
            yield from (caller for caller, span in bucket.items() if _reaches(span, seconds, width))

    def _near_in_order(self, read: Read) -> Iterator[_Caller]:
        """Those whose times cannot be compared with the read's; where they can, the order says nothing."""
        timed = time_line(read.capture, read.time, read.time_basis)
        if read.uri is None:
            return
        for number in _around(read.position, NEAR):
            bucket = self._by_order.get((read.capture_set, read.uri, number), {})
            for (caller, line), span in bucket.items():
                if (timed is None or line != timed[0]) and _reaches(span, read.position, NEAR):
                    yield caller


def _brought_a_document(read: Read) -> bool:
    if read.outcome is not Outcome.RESULT or read.response is None:
        return False
    return any(each.document.kind is not DocumentKind.EMPTY for each in read.response.contents)


def _stretched(span: tuple[float, float] | None, place: float) -> tuple[float, float]:
    return (place, place) if span is None else (min(span[0], place), max(span[1], place))


def _around(place: float, width: float) -> tuple[int, int, int]:
    bucket = int(place // width)
    return bucket, bucket - 1, bucket + 1


def _reaches(span: tuple[float, float], place: float, width: float) -> bool:
    """Whether a span of one bucket comes close: the bucket before by its last place, the one behind by its first."""
    return span[0] - width <= place <= span[1] + width
