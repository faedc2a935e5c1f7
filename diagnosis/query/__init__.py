"""The filter language: which reads are shown, and never what is known.

from diagnosis.query import parse_filter

shown = [one for one in diagnosis.judgements if parse_filter("any:fault tenant:northwind").matches(one)]

lark, which reads the text, is loaded with the first filter and not before.
"""

from diagnosis.query.completion import Candidate, complete, present_values
from diagnosis.query.errors import QueryError
from diagnosis.query.fields import FIELDS, Field, Kind
from diagnosis.query.filters import (
    Filter,
    Part,
    Removal,
    Slice,
    in_slices,
    parse_filter,
    removals,
    removed_most,
)
from diagnosis.query.values import Beside, NoReviews, Reviews

__all__ = [
    "FIELDS",
    "Beside",
    "Candidate",
    "Field",
    "Filter",
    "Kind",
    "NoReviews",
    "Part",
    "QueryError",
    "Removal",
    "Reviews",
    "Slice",
    "complete",
    "in_slices",
    "parse_filter",
    "present_values",
    "removals",
    "removed_most",
]
