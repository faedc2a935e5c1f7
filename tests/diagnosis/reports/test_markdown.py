from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import cmarkgfm
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from diagnosis.captures.message import Loss
from diagnosis.ledger import Refusal
from diagnosis.options import Options
from diagnosis.questions.findings import Certainty, Evidence, Question, Remark, Severity, Verdict
from diagnosis.reads.read import Content, Document, DocumentKind
from diagnosis.reports.choices import NO_REDACTION, Choices
from diagnosis.reports.markdown import render
from diagnosis.statements import Statements
from diagnosis.uris.alignment import align
from diagnosis.uris.templates import parse
from tests.diagnosis.reports import build

NOW = datetime(2025, 10, 1, 12, 0, tzinfo=UTC)
MARKDOWN_IT = MarkdownIt("gfm-like", {"html": True, "linkify": False})
ALLOWED = {
    "p",
    "code",
    "pre",
    "h1",
    "h2",
    "h3",
    "ul",
    "li",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "strong",
}

HOSTILE = [
    "docs://a/https://evil.example/x www.evil.example a@evil.example <https://evil.example> xmpp:a@b.example",
    "docs://a/`a`` ``` ` `",
    'docs://a/![ok](https://evil.example/b.png?d=SECRET) <img src="https://evil.example/c.png">',
    "docs://a/\n[a]: https://evil.example/d\n\n[a]",
    "docs://a/<!channel> <@U123> *bold* {code}{html}<b>{html} ||s||",
    "docs://a/```mermaid\ngraph TD; A-->B\n```\n$$\\href{javascript:1}{x}$$ :tada:",
    "docs://a/&lt;script&gt; &#60;b&#62; &NewLine;",
    "docs://a/```\n# Approved\n````\n~~~\n`````\n</code></pre>",
    "docs://a/\n# Summary\n\nNo findings.\n\n---\n\n- [x] resolved\n\n> quote\n\nSetext\n======\n",
    "docs://a/<script>alert(1)</script><img src=x onerror=alert(1)><details open><!--",
    "docs://a/@octocat @org/team #123 org/repo#1 GH-1 0123456789abcdef0123456789abcdef01234567",
    "docs://a/a | b \\| c \\\\| d\n| e |",
    "docs://a/\\`\\\\`",
    "docs://a/safe \u202egnihton\u202c \u200b\ufeff\u2028# x",
    "docs://a/\x1b]52;c;AAAA\x07\x9b31m\x7f\ud800",
    "docs://a/<?php ?><![CDATA[x]]><!DOCTYPE x><a href=//evil.example>",
    "docs://a/---\nlayout: x\n---\n",
    "docs://a/\r\n1. one\n* two\n    four blanks\n\ttab",
    "docs://a/[^1] [^1]: note [x]{.y} ==m== ~~s~~ H~2~O <kbd>",
    "mailto:a@evil.example?subject=x//www.evil.example/~~~",
    "` `` ``` ` ``",
    "",
]


def renderings(markdown: str) -> list[str]:
    return [MARKDOWN_IT.render(markdown), cmarkgfm.github_flavored_markdown_to_html(markdown)]


def check_inert(text: str) -> None:
    markdown = render(build.everywhere(text), NOW)
    assert all(line.isprintable() for line in markdown.split("\n"))
    calm = renderings(render(build.everywhere("calm"), NOW))
    for rendered, expected in zip(renderings(markdown), calm, strict=True):
        assert set(re.findall(r"</?([A-Za-z0-9]+)", rendered)) <= ALLOWED
        assert "<!--" not in rendered and "<!" not in rendered and "<?" not in rendered
        assert set(re.findall(r"<[a-z0-9]+ ([a-z]+)=", rendered)) <= {"class", "lang"}
        for element in ("h1", "h2", "h3", "table", "tr", "td", "th", "li", "pre", "ul"):
            assert rendered.count(f"<{element}>") == expected.count(f"<{element}>"), element
        headings = re.findall(r"<h[1-6]>.*", rendered)
        assert headings == re.findall(r"<h[1-6]>.*", expected)


@pytest.mark.parametrize("text", HOSTILE)
def test_the_report_is_inert(text: str) -> None:
    check_inert(text)


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("`|\\~*_<>[]()!\n#-=.:@'\" "))))
def test_the_report_is_inert_for_any_text(text: str) -> None:
    check_inert(text)


def test_a_foreign_read() -> None:
    markdown = render(build.diagnosis(build.foreign(), build.judgement(1, caller=build.ana())), NOW)
    assert markdown.startswith("# Misread incident report\n\nDate: 2025-10-01T12:00:00Z\n\nTool: misread `")
    assert "### Finding 1: principal/foreign-tenant" in markdown
    assert "- Owner: read handler" in markdown
    assert "There was no effective check, or the policy is out of date." in markdown
    assert "Question 1 rules out under-encoding: the URI is clean on the wire." in markdown
    assert "Question 2 rules out a double decode" in markdown
    assert "| `trace.jsonl` | 1 | 100 | 80 | the record itself | the request | `" in markdown
    assert "## Whose documents went to whom" in markdown
    assert "| `northwind` | `ana` | `report://{tenant}/{month}` | 2 | no time | no time | **yes** |" in markdown
    assert "1 of 2 reads are clean" in markdown
    assert "report://northwind/2025-10" in markdown
    assert "s1" not in markdown.replace("session-1", "")


def test_the_order_of_the_report() -> None:
    remark = Remark(build.NOT_DECODED, Certainty.CERTAIN, "Never decoded.")
    markdown = render(build.diagnosis(build.foreign(), build.undecided(1, remarks=(remark,))), NOW)
    assert re.findall(r"^## (.*)", markdown, re.MULTILINE) == [
        "Whose documents went to whom",
        "Captures",
        "Summary",
        "Callers and tenants",
        "Timeline",
        "Findings",
        "What could not be told",
        "Every read",
        "Remarks",
        "Clean reads",
        "Problems in the input",
        "Inputs and custody",
        "About this report",
    ]


def test_standing_sentences() -> None:
    twice = build.answer(Question.DOCUMENT, Verdict.MISMATCH, findings=(build.finding(build.TWICE),))
    raw = build.answer(Question.SEGMENTS, Verdict.ESCAPED, findings=(build.finding(build.RAW),))
    decoded, escaped = (
        render(build.diagnosis(build.judgement(**changed)), NOW) for changed in ({"document": twice}, {"segments": raw})
    )
    repairing = "Repairing this leaves question 3 where it was."
    between = "A check placed between the two decodes saw neither what the client sent nor what storage saw."
    assert repairing in decoded and between in decoded
    assert repairing in escaped and between not in escaped
    assert "- Owner: client, or a hop before this capture" in escaped


def test_exposures_need_a_finding_or_a_known_caller() -> None:
    assert "Whose documents" not in render(build.diagnosis(build.undecided()), NOW)
    assert "Whose documents" in render(build.diagnosis(build.judgement(caller=build.ana())), NOW)


def test_repeated_findings_share_a_section() -> None:
    markdown = render(build.diagnosis(*(build.foreign(number) for number in range(3000))), NOW)
    assert markdown.count("### Finding") == 1
    assert "The same rule, template and caller in 2999 further reads: `trace.jsonl:3`, `trace.jsonl:5`" in markdown
    assert markdown.count("`trace.jsonl:") == 20 + 200  # the places of the others, and the first of all reads
    assert "and 2979 more." in markdown


def test_many_different_findings_end_in_a_table() -> None:
    judgements = [build.foreign(number, template=f"report://{number}/{{month}}") for number in range(150)]
    markdown = render(build.diagnosis(*judgements), NOW)
    assert markdown.count("### Finding") == 100
    assert "### 50 further groups of findings" in markdown
    assert "`report://149/{month}`" in markdown


def test_severe_findings_come_first() -> None:
    raw = build.answer(Question.SEGMENTS, Verdict.ESCAPED, findings=(build.finding(build.RAW),))
    assert build.RAW.severity is Severity.MILD
    markdown = render(build.diagnosis(build.judgement(0, segments=raw), build.foreign(1)), NOW)
    assert markdown.index("principal/foreign-tenant") < markdown.index("segments/raw-reserved")


def test_what_could_not_be_told() -> None:
    markdown = render(build.diagnosis(build.undecided(0), build.undecided(1)), NOW)
    assert (
        "| 3. Was a principal check performed? | `no-principal` | 2 | Nobody says who asked. "
        "| Who asked: a policy file would say. "
        "| `trace.jsonl:1`, `trace.jsonl:3` |" in markdown
    )
    assert "| 3. Was a principal check performed? | 2 of 2 |" in markdown
    assert "0 of 2 reads are clean" in markdown


def test_secrets_sessions_and_addresses_are_labels() -> None:
    found = build.finding(build.FOREIGN, summary="Session sess-99 sent tok-12345 to ana@acme.example.")
    read = build.judgement(
        uri="http://h/ana@acme.example?token=tok-12345",
        session="sess-99",
        template=None,
        principal=build.answer(Question.PRINCIPAL, Verdict.NOT_CHECKED, findings=(found,)),
    )
    diagnosis = build.diagnosis(read, statements=Statements(stated=("--allow sess-99=acme",)))
    markdown = render(diagnosis, NOW)
    for hidden in ("sess-99", "tok-12345", "ana@acme.example"):
        assert hidden not in markdown
    assert "`http://h/[email-1]?token=[token-1]`" in markdown or "http://h/[email-1]?token=[token-1]" in markdown
    assert "- Stated by the person: `--allow session-1=acme`" in markdown
    assert "Redacted: 1 token, 1 e-mail address, 1 session id; equal values have equal labels." in markdown


def test_a_session_named_like_a_tenant_spoils_no_sentence() -> None:
    read = build.foreign(session="northwind")
    assert "A document of northwind was served." in render(build.diagnosis(read), NOW)


def fence_of(markdown: str) -> list[str]:
    return re.findall(r"```text\n(.*?)\n```", markdown, re.DOTALL)[0].split("\n")


def drawn(uri: str, template: str, **more: object) -> list[str]:
    found = align(uri, parse(template))
    assert found is not None
    read = build.foreign(uri=uri, template=template, readings=found.found[:1], **more)
    return fence_of(render(build.diagnosis(read), NOW))


def test_the_uri_is_drawn_under_its_template() -> None:
    assert drawn("report://northwind/2025-10", "report://{tenant}/{month}") == [
        "template  report://{tenant} /{month}",
        "request   report://northwind/2025-10",
    ]


def test_what_does_not_belong_is_marked() -> None:
    assert drawn("docs://team/Platform & Ops", "docs://team/{team}") == [
        "template  docs://team/{team}",
        "request   docs://team/Platform & Ops",
        "                      --------^^^---",
        "expected  docs://team/Platform%20%26%20Ops",
    ]


def test_a_drawn_secret_is_covered_without_moving_anything() -> None:
    rows = drawn("docs://acme?token=abcdefghijkl&m=b", "docs://{tenant}{?token,m}")
    assert rows[1] == "request   docs://acme    ?token=token-1~~~~~&m=b"
    assert not any("abcdefgh" in row for row in rows)


def test_problems_are_listed_and_counted() -> None:
    problems = [build.unreadable(line) for line in range(1, 251)]
    markdown = render(build.diagnosis(problems=problems), NOW)
    assert (
        "| `trace.jsonl` | 7 | 700 | This is not `JSON`. |" in markdown or "| 7 | 700 | This is not JSON. |" in markdown
    )
    assert "50 further problems are not listed here" in markdown


def test_a_stopped_load_is_said() -> None:
    assert "Partial: reading was stopped" in render(build.diagnosis(partial=True), NOW)


def test_only_the_date_depends_on_the_time() -> None:
    diagnosis = build.diagnosis(build.foreign())
    one, two = (render(diagnosis, moment).split("\n") for moment in (NOW, datetime(2030, 1, 1, tzinfo=UTC)))
    assert [line for line, other in zip(one, two, strict=True) if line != other] == ["Date: 2025-10-01T12:00:00Z"]


def test_everything_in_code_is_what_the_log_said() -> None:
    text = "docs://a/`|\\| x"
    for rendered in renderings(render(build.everywhere(text), NOW)):
        assert text in [html.unescape(one) for one in re.findall(r"<code>(.*?)</code>", rendered)]


def test_where_the_findings_are() -> None:
    markdown = render(build.diagnosis(build.foreign(0), build.foreign(1), build.foreign(2, template=None)), NOW)
    assert "| missing-authorization | read handler | `report://{tenant}/{month}` | `northwind` | 2 |" in markdown
    assert "| missing-authorization | read handler | none | `northwind` | 1 |" in markdown


def test_what_a_capture_does_not_keep_is_said_beside_it() -> None:
    read = build.judgement()
    lossy = replace(read, read=replace(read.read, losses=(Loss.DOCUMENT, Loss.URI)))
    markdown = render(build.diagnosis(lossy), NOW)
    assert "| 2 | 0 | 2 | 0 | 0 | 1 | uri, document | yes |" in markdown
    assert "| 1 | nothing known | yes |" in render(build.diagnosis(read), NOW)


def test_the_timeline_has_reads_with_a_finding_only() -> None:
    reads = (build.foreign(0, time="2025-10-01T00:00:02Z"), build.judgement(1, time="2025-10-01T00:00:01Z"))
    markdown = render(build.diagnosis(*reads, build.foreign(2)), NOW)
    timeline = markdown.partition("## Timeline\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(.*?)` \| (.*?) \|", timeline, re.MULTILINE) == [
        ("2025-10-01T00:00:02.000000Z", "Request sent"),
        ("2025-10-01T00:00:02.000000Z", "Answer received"),
        ("2025-10-01T00:00:02.000000Z", "Finding"),
    ]
    assert "3 events of these reads left out, because no time in UTC is known for them." in timeline
    assert "## Timeline" not in render(build.diagnosis(build.judgement(0)), NOW)


def test_an_excerpt_says_what_was_sent_and_leaves_the_document_out() -> None:
    read = build.foreign()
    (found,) = read.findings
    evidence = (*found.evidence, Evidence(build.seen(2), "the answer"), Evidence(build.seen(9), "another read"))
    said = replace(read.principal, findings=(replace(found, evidence=evidence),))
    section = render(build.diagnosis(replace(read, principal=said)), NOW).partition("## Findings\n")[2]
    rows = [line for line in section.split("\n") if line.startswith("| `trace.jsonl` |")]
    excerpts = [line.split(" | ")[6] for line in rows]
    assert excerpts[0] == "`resources/read`, id `41`, uri `report://northwind/2025-10`"
    assert excerpts[1] == "uri `report://northwind/2025-10`, json document of 20 bytes, left out here"
    assert excerpts[2] == "of another read"


def test_values_decode_by_decode() -> None:
    uri = "report://nw/R%2526D"
    found = align(uri, parse("report://{tenant}/{name}"))
    assert found is not None
    read = build.foreign(uri=uri, readings=found.found[:1])
    assert read.read.response is not None
    document = Document(DocumentKind.JSON, (("name", "R&D"), ("iban", "DE1")), 20)
    response = replace(read.read.response, contents=(Content(uri, None, document),))
    markdown = render(build.diagnosis(replace(read, read=replace(read.read, response=response))), NOW)
    assert "| `name` | `R%2526D` | `R%26D` | `R&D` | `R&D` |" in markdown
    assert "| `tenant` |" not in markdown and "iban" not in markdown
    plain = align("report://nw/a%20b", parse("report://{tenant}/{name}"))
    assert plain is not None
    rows = render(build.diagnosis(build.foreign(uri="report://nw/a%20b", readings=plain.found[:1])), NOW)
    assert "| `name` | `a%20b` | `a b` | the same | no such field |" in rows


def test_what_is_ruled_out_and_what_is_not_yet() -> None:
    twice = build.answer(Question.DOCUMENT, Verdict.MISMATCH, findings=(build.finding(build.TWICE),))
    markdown = render(build.diagnosis(build.undecided(document=twice)), NOW)
    assert "Question 1 rules out under-encoding: the URI is clean on the wire." in markdown
    assert (
        "To rule out next:\n\n- which layer decodes a second time: log the value before and after the proxy, the "
        "matcher and the handler\n- principal: Who asked: a policy file would say.\n\n"
    ) in markdown


def review(fingerprint: str) -> Any:
    if fingerprint != f"{1:064x}":
        return None
    notes = (SimpleNamespace(text="see #12", author="bo"),)
    return SimpleNamespace(
        state="confirmed", reason="ana@acme.example agrees", author="eve", contradicted=False, notes=notes
    )


def test_what_reviewers_say_stands_with_the_finding() -> None:
    markdown = render(build.diagnosis(build.foreign(0)), NOW, Choices(reviews=review))
    assert "- Review: `confirmed` by `eve`, because: `[email-1] agrees`\n- Note by `bo`: `see #12`\n" in markdown
    other = replace(build.finding(build.FOREIGN, 3), fingerprint=f"{1:064x}")
    said = build.answer(Question.PRINCIPAL, Verdict.NOT_CHECKED, findings=(other,))
    reads = build.diagnosis(build.foreign(5), replace(build.foreign(1), principal=said))
    two = render(reads, NOW, Choices(reviews=review))
    assert "`trace.jsonl:3` (review: `confirmed`)." in two
    assert "Review" not in render(build.diagnosis(build.foreign(0)), NOW)


def test_inputs_and_custody() -> None:
    statements = Statements(policy_path="p.json", policy_sha256="cd" * 32, stated=("--allow acme",))
    choices = Choices(case_files=(("a.case.json", "ef" * 32),))
    captures = (build.facts("a.log", changed=True), build.facts("b.log", partial=True, sha256=""))
    refused = (Refusal("c.zip", "missing", "There is no such file."),)
    options = Options(zone=ZoneInfo("Europe/Berlin"))
    held = build.diagnosis(captures=captures, statements=statements, refusals=refused, options=options)
    markdown = render(held, NOW, choices)
    custody = markdown.partition("## Inputs and custody\n")[2].partition("\n## ")[0]
    for line in (
        f"| capture | `a.log` | `{'ab' * 32}` | 200 | changed while it was read |",
        "| capture | `b.log` | not known | 200 | partial |",
        f"| policy | `p.json` | `{'cd' * 32}` |  | as loaded |",
        "| templates | none given |  |  |  |",
        f"| case file | `a.case.json` | `{'ef' * 32}` |  | as loaded |",
        "- Stated by the person: `--allow acme`",
        "- Option: `--zone Europe/Berlin`",
        "- Not read: `c.zip`: There is no such file.",
    ):
        assert line in custody, line


def test_no_redaction_is_loud_at_both_ends() -> None:
    read = build.foreign(uri="docs://x?token=abcdef", session="s-99")
    markdown = render(build.diagnosis(read), NOW, Choices(redaction=NO_REDACTION))
    assert markdown.count("**NOT REDACTED: ") == 2
    assert "token=abcdef" in markdown and "`s-99`" in markdown
