"""Sessions as logs really hold them, with values that want to break something."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

# A property judges whole captures, so it costs more than one of a function; `nightly` runs until something gives.
settings.register_profile("nightly", max_examples=3000, deadline=None, derandomize=False)
NIGHTLY = settings.get_current_profile_name() == "nightly"


def thorough(examples: int) -> settings:
    """Settings of a property that takes this many examples here, and many more at night."""
    return settings(
        max_examples=examples * 40 if NIGHTLY else examples,
        deadline=None,
        derandomize=not NIGHTLY,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


TEMPLATES = ("report://{tenant}/{month}", "note://{name}", "file:///{+path}", "q://{tenant}{?a,b}", "p://{a}{/b*}")
# What values hold in logs that somebody wrote to be read: markup, controls, separators, layers of encoding.
PIECES = st.sampled_from(
    [
        *(
            "acme",
            "northwind",
            "2025-10",
            "",
            "%2F",
            "%252F",
            "%25",
            "%",
            "%zz",
            "..",
            "/",
            "?",
            "#",
            "&",
            "=",
            ",",
            "+",
        ),
        *(" ", ":", "\\", "\x1b[31m", "\x9b1m", "\u202e", "\u200b", "\ud800", "\x00", "\n", "\r", "\u2028", "é", "漢"),
        *("`", "```", "|", "<b>", "[x](y)", "![i](j)", "[/]", "[@click=app.quit]", "{name}", "{+x}", "None", "a" * 300),
    ]
)
HOSTILE = st.lists(PIECES, max_size=4).map("".join) | st.text(max_size=6)
URIS = st.builds(
    str.__add__,
    st.sampled_from(
        ["report://", "report://acme/", "report://northwind/", "note://", "file:///", "q://acme?a=", "", "p://a/"]
    ),
    HOSTILE,
)
IDS = st.integers(1, 4) | st.sampled_from(["1", "2", 1.0, True, None, 2**64, -1]) | HOSTILE
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | HOSTILE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(HOSTILE, inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        ("tenant", "month", "name", "org", "account"), st.sampled_from(["acme", "northwind"]) | HOSTILE
    ),
)
BODIES = st.one_of(
    FIELDS.map(json.dumps),
    HOSTILE,
    HOSTILE.map("---\ntenant: {}\n---\n".format),
    HOSTILE.map("tenant,x\n{},1\n".format),
)
CONTENT = st.fixed_dictionaries({}, optional={"uri": URIS, "text": BODIES, "mimeType": HOSTILE, "blob": HOSTILE})
RESULTS = st.fixed_dictionaries({"contents": st.lists(CONTENT, max_size=2)}) | JSON
ERRORS = (
    st.fixed_dictionaries(
        {"code": st.sampled_from([-32002, -32602, 0, 403]), "message": HOSTILE | st.just("Forbidden")},
        optional={"data": st.fixed_dictionaries({"uri": URIS}) | JSON},
    )
    | JSON
)


def request(number: Any, uri: Any) -> dict[str, Any]:
    """A read."""
    return {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": uri}}


def listing(number: Any, *templates: str) -> list[dict[str, Any]]:
    """A request for templates and its answer."""
    rows = [{"name": text, "uriTemplate": text} for text in templates]
    return [
        {"jsonrpc": "2.0", "id": number, "method": "resources/templates/list", "params": {}},
        {"jsonrpc": "2.0", "id": number, "result": {"resourceTemplates": rows}},
    ]


@st.composite
def exchanges(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A read with what came back, or another exchange of a session."""
    number = draw(IDS)
    what = draw(st.sampled_from(["read"] * 6 + ["error", "silent", "odd", "templates", "start", "cancel"]))
    if what == "templates":
        return listing(number, *draw(st.lists(st.sampled_from(TEMPLATES) | HOSTILE, max_size=3)))
    if what == "start":
        info = {"protocolVersion": "2025-06-18", "serverInfo": {"name": draw(HOSTILE), "version": "1"}}
        return [
            {"jsonrpc": "2.0", "id": number, "method": "initialize", "params": {"clientInfo": {"name": draw(HOSTILE)}}},
            {"jsonrpc": "2.0", "id": number, "result": info},
        ]
    if what == "cancel":
        return [{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}]
    uri = draw(URIS)
    asked = request(number, uri if what != "odd" else draw(JSON))
    if what == "silent":
        return [asked]
    if what == "error":
        return [asked, {"jsonrpc": "2.0", "id": number, "error": draw(ERRORS)}]
    if what == "odd":
        return [asked, {"jsonrpc": "2.0", "id": draw(IDS), "result": draw(RESULTS)}]
    body = {"uri": draw(st.just(uri) | URIS), "text": draw(BODIES)}
    return [asked, {"jsonrpc": "2.0", "id": number, "result": {"contents": [body]}}]


@st.composite
def conversations(draw: st.DrawFn, size: int = 5) -> list[dict[str, Any]]:
    """The messages of one session, with its templates listed first more often than not."""
    begun = listing("list", *TEMPLATES) if draw(st.sampled_from([True, True, False])) else []
    return begun + [each for some in draw(st.lists(exchanges(), max_size=size)) for each in some]


def line(message: Any) -> bytes:
    """A message as one line of ASCII; a lone surrogate is an escape then."""
    return json.dumps(message).encode()


def lines(messages: list[Any]) -> bytes:
    """Messages as a JSON-lines capture."""
    return b"".join(line(each) + b"\n" for each in messages)
