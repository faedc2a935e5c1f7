"""What is drawn of one read: its URI against the template, its values decode by decode, its messages in short.

All of it is masked and still to be quoted: Markdown and plain text quote it in their own ways.
"""

from __future__ import annotations

from diagnosis.questions.judgement import Judgement
from diagnosis.reads.read import FieldValue, Read, Response, Seen
from diagnosis.reports.masking import Masking
from diagnosis.reports.redact import Mask
from diagnosis.uris.lane import lane, lane_rows
from diagnosis.uris.percent import decode
from diagnosis.visible import visible
from diagnosis.wording import quoted

# A URI of megabytes is drawn up to here; the evidence has all of it.
_LANE_LIMIT = 4000
_LADDER_ROWS = 20
LADDER_WITHOUT = ("", "", "the same", "the same", "no such field")  # what None means in each column
LADDER = ("Variable", "As sent", "After one decode", "After two decodes", "In the document")


def drawn_rows(judgement: Judgement, masking: Masking) -> list[tuple[str, str]]:
    """The URI under its template, in aligned rows of visible text; only the URI where no template explains it.

    A drawing needs every character in its place. So under aliases, where names have other lengths, and where the
    template itself has something to hide, the URI stands alone.
    """
    uri, template = judgement.read.uri, judgement.template
    if uri is None:
        return []
    rows: list[tuple[str, str]] = []
    hidden = masking.redaction.aliases or (template is not None and masking.uri(template) != template)
    if judgement.readings and len(uri) <= _LANE_LIMIT and not hidden:
        covered, reading = masking.drawing(uri, judgement.readings[0])
        rows = list(lane_rows(lane(covered, reading, _other_echo(judgement, masking)), visible))
    if not rows:
        shown = masking.uri(uri, judgement)
        cut = " ... (cut here)" if len(shown) > _LANE_LIMIT else ""
        rows = [("request", visible(shown[:_LANE_LIMIT]) + cut)]
    expected = judgement.expected
    if expected is not None and expected != uri and len(expected) <= _LANE_LIMIT and "expected" not in dict(rows):
        rows.append(("expected", visible(masking.uri(expected, judgement))))
    return rows


def _other_echo(judgement: Judgement, masking: Masking) -> str | None:
    """The URI that came back, where it is not the one that was sent."""
    contents = judgement.read.response.contents if judgement.read.response else ()
    echo = contents[0].uri if contents else None
    return None if echo is None or echo == judgement.read.uri else masking.uri(echo, judgement)[:_LANE_LIMIT]


def ladder_rows(judgement: Judgement, mask: Mask) -> list[tuple[str | None, ...]]:
    """Each value as it was sent, after one decode and after two, beside the document's field of that name.

    A decode that changes nothing and a field that is missing are None. Empty where no value changes when it is
    decoded, and no field says anything else than was sent.
    """
    if not judgement.readings:
        return []
    fields = _fields(judgement.read.response)
    rows: list[tuple[str | None, ...]] = []
    for binding in judgement.readings[0].bindings[:_LADDER_ROWS]:
        once = decode(binding.raw)
        twice = decode(once)
        said = fields.get(binding.name)
        if once != binding.raw or said not in (None, binding.raw):
            rungs = (binding.raw, once if once != binding.raw else None, twice if twice != once else None, said)
            rows.append((binding.name, *(None if rung is None else mask(rung) for rung in rungs)))
    return rows


def _fields(response: Response | None) -> dict[str, str]:
    """The scalar fields of the one document that came back; of several documents none can be named."""
    if response is None or len(response.contents) != 1:
        return {}
    return {name: _shown(value) for name, value in response.contents[0].document.fields if _shown(value)}


def _shown(value: FieldValue) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""


def excerpt(read: Read, seen: Seen, masking: Masking, judgement: Judgement) -> str:
    """What a piece of evidence says, in one sentence made of the facts that were kept of it; never a document."""
    if seen == read.request:
        uri = f"uri {quoted(masking.uri(read.uri, judgement))}" if read.uri is not None else "no uri"
        return f"resources/read, id {quoted(masking.text(repr_id(read.request_id)))}, {uri}"
    for response in (read.response, *read.extra):
        if response is not None and seen == response.seen:
            return _answer_excerpt(response, masking, judgement)
    return ""


def _answer_excerpt(response: Response, masking: Masking, judgement: Judgement) -> str:
    if response.failure is not None:
        message = quoted(masking.of(judgement)(response.failure.message))
        return f"error {quoted(repr_id(response.failure.code))}: {message}"
    parts = []
    for content in response.contents[:3]:
        echo = f"uri {quoted(masking.uri(content.uri, judgement))}" if content.uri is not None else "no uri"
        document = content.document
        parts.append(f"{echo}, {document.kind.value} document of {document.size} bytes, left out here")
    if len(response.contents) > 3:
        parts.append(f"{len(response.contents) - 3} more")
    return "; ".join(parts) or "a result without contents"


def repr_id(request_id: object) -> str:
    """A request id with its type to be seen: `7`, `"7"`, `true`, `null`."""
    if request_id is None or isinstance(request_id, bool):
        return {None: "null", True: "true", False: "false"}[request_id]
    return f'"{request_id}"' if isinstance(request_id, str) else str(request_id)
