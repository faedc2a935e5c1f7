from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app import cli, running, samples
from diagnosis.captures.sources import SourceError
from diagnosis.options import Options
from diagnosis.reports import REPORTS
from diagnosis.statements import Statements
from tests.diagnosis.reports import build

ROOT = Path(__file__).parents[2]


class Prepared:
    """Stands in for `Diagnosis`: what it holds is prepared by the test."""

    def __init__(self, held: Any, fault: BaseException | None = None) -> None:
        self.held, self.fault = held, fault
        self.asked: tuple[Any, ...] = ()

    def __call__(self, paths: Any, statements: Statements, options: Options, labels: Any = None) -> Any:
        self.asked = (tuple(paths), statements, options)
        if self.fault is not None:
            raise self.fault
        self.held.read = lambda **_: iter(())
        self.held.judgements = list(self.held.judgements)
        return self.held


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def trace(tmp_path: Path) -> str:
    path = tmp_path / "trace.jsonl"
    path.write_text("{}\n")
    return str(path)


@pytest.fixture
def prepare(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Prepared]:
    def prepared(*judgements: Any, fault: BaseException | None = None, **more: Any) -> Prepared:
        stand_in = Prepared(build.diagnosis(*judgements, **more), fault)
        monkeypatch.setattr(running, "Diagnosis", stand_in)
        return stand_in

    return prepared


@pytest.mark.parametrize(
    ("judgements", "more", "options", "status"),
    [
        ((build.judgement(),), {}, (), 0),
        ((build.foreign(),), {}, (), 1),
        ((build.foreign(),), {"problems": (build.unreadable(3),)}, (), 1),
        ((build.undecided(),), {}, (), 0),
        ((build.undecided(),), {}, ("--strict",), 1),
        ((build.judgement(),), {"problems": (build.unreadable(3),)}, (), 3),
        ((build.judgement(),), {"captures": (build.facts(unreadable=1),)}, (), 3),
        ((build.judgement(),), {"partial": True}, (), 3),
        ((), {"captures": (build.facts(messages=0),)}, (), 3),
        ((), {"captures": ()}, (), 3),
        ((), {}, (), 0),
    ],
)
def test_exit_statuses_of_report(
    trace: str, prepare: Callable[..., Prepared], judgements: Any, more: Any, options: Any, status: int
) -> None:
    prepare(*judgements, **more)
    assert cli.run(["report", trace, *options]) == status


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["report"], "Name at least one capture"),
        (
            ["report", "missing\x1b.jsonl"],
            "missing\\u{1b}.jsonl cannot be opened: no such file or directory.",
        ),
        (["missing.jsonl"], "missing.jsonl cannot be opened"),
        (["report", "a\0b"], "a\\u{0}b cannot be opened: this is no file name."),
        (["report", "--format", "x\x1b", "."], "x\\x1b"),
        (["report", "--\x1b", "."], "--\\x1b"),
        (["--policy"], "requires an argument"),
        (["report", ".", "--policy", "missing.json"], "missing.json"),
        (["report", ".", "--template", "{"], "Error: "),
        (["report", ".", "--allow", "="], "Error: "),
        (["open", "--sample", "no-such-sample"], "There is no sample no-such-sample"),
        (["report", ".", "-o", "."], "Error: "),
    ],
)
def test_usage_errors(
    args: list[str], sentence: str, capsys: pytest.CaptureFixture[str], prepare: Callable[..., Prepared]
) -> None:
    prepare()
    assert cli.run(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert all(line.isprintable() for line in err.split("\n"))
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "fault",
    [
        SourceError("not-a-file", "This is a named pipe, not a regular file."),
        PermissionError(13, "No", "x\x1b"),
    ],
)
def test_what_cannot_be_read(
    trace: str, prepare: Callable[..., Prepared], fault: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(fault=fault)
    assert cli.run(["report", trace]) == 2
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "\x1b" not in err


@pytest.mark.parametrize(("fault", "status"), [(KeyboardInterrupt(), 130), (running.Terminated(), 143)])
def test_interrupted(trace: str, prepare: Callable[..., Prepared], fault: BaseException, status: int) -> None:
    prepare(fault=fault)
    assert cli.run(["report", trace]) == status


def test_what_is_said_beside_a_report(
    trace: str, prepare: Callable[..., Prepared], capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(build.undecided(), captures=(build.facts(unreadable=1),))
    cli.run(["report", trace])
    assert capsys.readouterr().err.splitlines() == [
        "1 line could not be read; the report lists them.",
        "1 answer cannot_tell (segments 0, document 0, principal 1).",
    ]
    cli.run(["report", trace, "--quiet"])
    assert capsys.readouterr().err == ""


def test_nothing_to_read_is_said(
    trace: str, prepare: Callable[..., Prepared], capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(captures=(build.facts("a\x1b", messages=0),))
    cli.run(["report", trace])
    assert capsys.readouterr().err.startswith("No JSON-RPC message was found in a\\u{1b}; JSON objects with")
    prepare()
    cli.run(["report", trace])
    assert "none of them is a resources/read request" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("markdown", b"# Misread"),
        ("json", b'{\n  "schema"'),
        ("sarif", b'{\n  "$schema"'),
        ("text", b"misread "),
        ("timeline", b'{"datetime": '),
        ("chat", b"Exposed: "),
    ],
)
def test_formats(
    trace: str,
    prepare: Callable[..., Prepared],
    capfdbinary: pytest.CaptureFixture[bytes],
    name: str,
    beginning: bytes,
) -> None:
    prepare(build.judgement(uri="docs://東京"))
    assert cli.run(["report", trace, "--format", name]) == 0
    assert capfdbinary.readouterr().out.startswith(beginning)


def test_an_output_file(tmp_path: Path, trace: str, prepare: Callable[..., Prepared]) -> None:
    prepare(build.judgement(uri="docs://東京/\x1b"))
    output = tmp_path / "report.md"
    assert cli.run(["report", trace, "-o", str(output)]) == 0
    assert "docs://東京/\\u{1b}" in output.read_text("utf-8")
    assert stat.S_IMODE(output.stat().st_mode) == 0o600
    before = output.read_bytes()
    prepare(build.foreign())
    assert cli.run(["report", trace, "-o", str(output)]) == 2
    assert output.read_bytes() == before
    assert cli.run(["report", trace, "-o", str(output), "--force"]) == 1
    assert output.read_bytes() != before


def test_a_report_never_replaces_an_input(trace: str, prepare: Callable[..., Prepared]) -> None:
    prepare(build.judgement())
    assert cli.run(["report", trace, "-o", trace, "--force"]) == 2
    assert Path(trace).read_text() == "{}\n"


def test_statements_reach_the_diagnosis(tmp_path: Path, trace: str, prepare: Callable[..., Prepared]) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"principals": [{"id": "ana", "sessions": ["s1"], "allowed_tenants": ["acme"]}]}))
    prepared = prepare(build.judgement())
    words = ["--allow", "s2=acme", "--template", "report://{tenant}/{month}", "--capture-format", "har"]
    assert cli.run(["report", trace, "--policy", str(policy), *words]) == 0
    paths, statements, options = prepared.asked
    assert (paths, options.capture_format) == ((trace,), "har")
    assert statements.stated == ("--allow s2=acme", "--template report://{tenant}/{month}")
    assert [one.id for one in statements.policy.principals] == ["s2", "ana"]


@pytest.fixture
def sample_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "sample_traces"
    folder.mkdir()
    for name in ("all-three.jsonl", "another.har", "README.md", "__init__.py"):
        (folder / name).write_text("{}")
    (folder / "all-three.policy.json").write_text('{"principals": [{"id": "ana", "sessions": ["s1"]}]}')
    (folder / "all-three.templates.json").write_text('{"templates": ["report://{tenant}/{month}"]}')
    monkeypatch.setattr(samples.resources, "files", lambda package: folder)
    return folder


def test_samples_have_names(sample_folder: Path) -> None:
    assert samples.sample_names() == ("all-three", "another")
    with pytest.raises(samples.UnknownSample):
        samples.find_sample("README")


def test_a_sample_brings_its_policy_and_templates(sample_folder: Path, prepare: Callable[..., Prepared]) -> None:
    prepared = prepare(build.judgement())
    assert cli.run(["report", "--sample"]) == 0
    paths, statements, _ = prepared.asked
    assert paths == (str(sample_folder / "all-three.jsonl"),)
    assert statements.templates == ("report://{tenant}/{month}",)
    assert [one.id for one in statements.policy.principals] == ["ana"]
    assert cli.run(["report", "--sample", "another"]) == 0
    assert prepared.asked[0] == (str(sample_folder / "another.har"),)
    assert prepared.asked[1] == Statements()


@pytest.mark.parametrize("args", [[], ["TRACE"], ["open", "TRACE"], ["--template", "a://{b}", "TRACE"]])
@pytest.mark.parametrize("term", ["dumb", "", "xterm"])
def test_the_screen_needs_a_terminal(
    args: list[str],
    term: str,
    trace: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TERM", term)
    assert cli.run([trace if arg == "TRACE" else arg for arg in args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "The screen needs a terminal" in err
    assert "textual" not in err


@pytest.mark.parametrize("option", ["--version", "--help", "-h"])
def test_the_groups_own_options(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([option]) == 0
    assert "misread" in capsys.readouterr().out


def run_process(*args: str, **more: Any) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "app", *args]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, **more)


def test_a_broken_pipe_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = run_process("report", "--help", stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=60)
    assert err == b""


def test_no_other_command_loads_the_screen_library() -> None:
    code = "import sys, app.cli; sys.exit('textual' in sys.modules or 'rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60, check=False).returncode == 0


REQUEST = b'{"jsonrpc":"2.0","id":41,"method":"resources/read","params":{"uri":"report://northwind/2025-10"}}\n'
ANSWER = (
    b'{"jsonrpc":"2.0","id":41,"result":{"contents":[{"uri":"report://northwind/2025-10",'
    b'"mimeType":"application/json","text":"{\\"tenant\\":\\"northwind\\"}"}]}}\n'
)
SAYS = ("--template", "report://{tenant}/{month}")


@pytest.mark.parametrize(
    ("data", "options", "status"),
    [
        (REQUEST + ANSWER, SAYS, 0),
        (REQUEST + ANSWER, (*SAYS, "--strict"), 1),
        (REQUEST + ANSWER, (*SAYS, "--allow", "acme"), 1),
        (REQUEST + ANSWER, (*SAYS, "--allow", "northwind", "--strict"), 0),
        (REQUEST + ANSWER + b'{"jsonrpc":"2.0","id":\n', SAYS, 3),
        (REQUEST + ANSWER + b'{"jsonrpc":"2.0","id":\n', (*SAYS, "--allow", "acme"), 1),
        (b"", (), 3),
        (b"\n\n", (), 3),
        (b"once upon a time\n", (), 3),
        (b"\x1f\x8b\x08\x00", (), 3),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n', (), 0),
    ],
)
@pytest.mark.parametrize("name", [each.name for each in REPORTS])
def test_real_captures(
    tmp_path: Path, data: bytes, options: Any, status: int, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "a\x1b.jsonl"
    capture.write_bytes(data)
    assert cli.run(["report", str(capture), "--format", name, *options]) == status
    out, err = capsys.readouterr()
    assert out
    assert "\x1b" not in out + err
    assert (status != 3) or err


def test_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.jsonl").write_bytes(REQUEST + ANSWER)
    (tmp_path / "policy.json").write_text("{}")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "one.jsonl")
    (tmp_path / "below").mkdir()
    assert cli.run(["report", str(tmp_path), "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert [Path(one["path"]).name for one in json.loads(out)["captures"]] == ["one.jsonl"]
    assert f"No capture, left out: {tmp_path}/policy.json, {tmp_path}/below/ and {tmp_path}/link.jsonl (a link)." in err


def test_a_folder_without_a_capture(tmp_path: Path) -> None:
    assert cli.run(["report", str(tmp_path)]) == 3


def test_standard_input_and_a_locale_that_knows_no_letter(tmp_path: Path) -> None:
    process = run_process("report", "-", "--format", "markdown", *SAYS, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    data = (REQUEST + ANSWER).replace(b'2025-10"', '東京"'.encode())
    out, err = process.communicate(data, timeout=60)
    assert process.returncode == 1, err
    assert "東京" in out.decode("utf-8")


def test_a_reader_that_went_away(tmp_path: Path) -> None:
    capture = tmp_path / "one.jsonl"
    capture.write_bytes(REQUEST + ANSWER)
    reading, writing = os.pipe()
    os.close(reading)
    process = run_process("report", str(capture), "--quiet", stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux for caught signals")
def test_terminated_while_it_waits_for_input(tmp_path: Path) -> None:
    process = run_process("report", "-", stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin is not None
    while not catches_sigterm(process.pid):
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (143, b"", b"")


def catches_sigterm(pid: int) -> bool:
    """Whether a process has put its own handler in place."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) & 1 << (signal.SIGTERM - 1))


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explain"]) == 0
    listed = capsys.readouterr().out
    assert "document/decoded-twice" in listed
    for line in listed.splitlines():
        assert cli.run(["explain", line.split()[0]]) == 0
    assert "Fix: " in capsys.readouterr().out
    assert cli.run(["explain", "document/decoded-twise"]) == 2
    assert "Did you mean document/decoded-twice?" in capsys.readouterr().err


def test_a_stated_caller_that_nobody_is_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capture = tmp_path / "log.jsonl"
    capture.write_text('{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a://b"}}\n')
    cli.run(["report", str(capture), "--allow", "s9=acme", "--format", "text"])
    assert "No read's caller, session or capture is s9, which --allow names." in capsys.readouterr().err
    cli.run(["report", str(capture), "--allow", "log=acme", "--format", "text"])
    assert "which --allow names" not in capsys.readouterr().err
