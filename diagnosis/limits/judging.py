"""The limits on what is judged, asked for and reported."""

from __future__ import annotations

import diagnosis.comparison as comparison
import diagnosis.visible as visible
import diagnosis.wording as wording
from diagnosis.limits.limit import Limit
from diagnosis.query import completion, pattern_syntax, patterns, syntax
from diagnosis.questions import failure_causes, path_remarks, readings
from diagnosis.reports import (
    across,
    ascii,
    asked,
    chat,
    compare_markdown,
    drawing,
    limits,
    markdown,
    secrets,
    section,
    text,
    text_finding,
)
from diagnosis.uris import alignment, percent, search, templates

_ONE = "answer 1 of the read"
_MORE = "a line with the number of the others"
_ERROR = "error message"

URIS = (
    Limit("URI that is laid over templates", alignment, "MAX_URI", "characters", "question 1: cannot_tell", _ONE),
    Limit("work for one template", alignment, "MAX_WORK", "characters x nodes", "question 1: cannot_tell", _ONE),
    Limit("work for one read", readings, "READ_WORK", "characters x nodes", "later templates are left out", _ONE),
    Limit("readings of a URI", search, "MAX_ALIGNMENTS", "readings", "others are not listed", _ONE),
    Limit("values and offences of readings", search, "MAX_LISTED", "entries", "others are not listed", _ONE),
    Limit("work of a search", search, "MAX_WORK", "steps", "question 1: cannot_tell", _ONE),
    Limit("template", templates, "MAX_TEMPLATE", "characters", "the template is unreadable", _ONE),
    Limit("variables of a template", templates, "MAX_VARIABLES", "variables", "the template is unreadable", _ONE),
    Limit("encodings inside each other", percent, "_MAX_LAYERS", "layers", "the values differ", "answer 2 of the read"),
    Limit("decodings looked at for paths", path_remarks, "_LAYERS", "layers", "deeper ones are not", "the remark"),
)

FILTERS = (
    Limit("filter", syntax, "TEXT_LIMIT", "characters", "it is refused", _ERROR),
    Limit("parentheses of a filter", syntax, "DEPTH_LIMIT", "levels", "it is refused", _ERROR),
    Limit("pattern", patterns, "PATTERN_LIMIT", "characters", "it is refused", _ERROR),
    Limit("states of a pattern", patterns, "_PLACES", "states", "it is refused", _ERROR),
    Limit("steps of a pattern remembered", patterns, "_REMEMBERED", "steps", "worked out anew", "nothing is lost"),
    Limit("groups of a pattern", pattern_syntax, "_DEEPEST", "levels", "it is refused", _ERROR),
    Limit("completions", completion, "LIMIT", "candidates", "others are not offered", "typing on shows them"),
    Limit(
        "values for a completion", completion, "_LOOKED_AT", "values", "later ones are not offered", "they can be typed"
    ),
)

REPORTS = (
    Limit("rows of a list", limits, "ROWS", "rows", "others are counted", _MORE),
    Limit("findings written out in markdown", markdown, "_SECTIONS", "findings", "others are counted", _MORE),
    Limit("examples of a group in markdown", markdown, "_EXAMPLES", "reads", "others are counted", _MORE),
    Limit("findings written out in text", text, "_SECTIONS", "findings", "others are counted", _MORE),
    Limit("equal findings in markdown", section, "_SAME_LISTED", "reads", "others are counted", _MORE),
    Limit("equal findings in text", text_finding, "_SAME_LISTED", "reads", "others are counted", _MORE),
    Limit("places of a comparison", compare_markdown, "_PLACES", "reads", "others are counted", _MORE),
    Limit("findings for a chat", chat, "_NAMED", "findings", "others are counted", _MORE),
    Limit("columns of the matrix", across, "_COLUMNS", "tenants", "others are one column", "heading of that column"),
    Limit("captures named in a sentence", asked, "NAMED", "captures", "others are counted", "the sentence"),
    Limit("URIs of an exposure", comparison, "URI_LIMIT", "URIs", "others are not listed", "the number of its reads"),
    Limit("URI drawn under a template", drawing, "_LANE_LIMIT", "characters", "it is cut", "the drawing"),
    Limit("rows of the ladder", drawing, "_LADDER_ROWS", "rows", "others are left out", "the JSON report has all"),
    Limit("name in a drawing", ascii, "_NAME_LIMIT", "characters", "it is cut", "the drawing"),
    Limit("log text in a sentence", wording, "QUOTE_LIMIT", "characters", "it is cut", "the quote ends in …"),
    Limit("servers named in a cause", failure_causes, "_SHOWN", "names", "others are counted", "the sentence"),
    Limit("name that says a secret follows", secrets, "_LONGEST", "characters", "it says nothing", "reports.md"),
    Limit("encodings undone for a secret", secrets, "_LAYERS", "layers", "deeper ones are not seen", "reports.md"),
    Limit("marks on one character", visible, "_MARKS_PER_BASE", "marks", "later ones are escaped", "the escapes"),
)
