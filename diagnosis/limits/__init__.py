"""Every finite limit of `diagnosis`; `misread --limits` prints them with those of the screen."""

from __future__ import annotations

from diagnosis.limits.judging import FILTERS, REPORTS, URIS
from diagnosis.limits.limit import Limit as Limit
from diagnosis.limits.reading import BYTES, FILES, READS

LIMITS: tuple[Limit, ...] = (*BYTES, *READS, *FILES, *URIS, *FILTERS, *REPORTS)
