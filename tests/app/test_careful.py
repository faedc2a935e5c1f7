"""No word of an option is ignored or dropped: each option of each command."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from app import cli

SAMPLE = str(Path(cli.__file__).parents[1] / "sample_traces" / "all-three.jsonl")


def _valued() -> list[tuple[str, click.Option]]:
    return [
        (name, option)
        for name, command in cli.cli.commands.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag
    ]


VALUED = [pytest.param(name, option, id=f"{name} {option.opts[-1]}") for name, option in _valued()]
# Lists add up; every other option has one value. A new option belongs to one of the two on purpose.
ADD_UP = {"--allow", "--template", "--shift", "--session", "--case", "--fail-on"}


@pytest.mark.parametrize(("name", "option"), VALUED)
@pytest.mark.parametrize("value", ["", " "])
def test_an_option_without_a_value_is_refused(
    name: str, option: click.Option, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for spelling in option.opts:
        words = [f"{spelling}="] if value == "" and spelling.startswith("--") else [spelling, value]
        assert cli.run([name, SAMPLE, SAMPLE, *words]) == 2
        assert cli.run([name, SAMPLE, SAMPLE, spelling, value]) == 2
        assert f"{max(option.opts, key=len)} is given without a value." in capsys.readouterr().err


@pytest.mark.parametrize(("name", "option"), VALUED)
def test_an_option_with_one_value_is_refused_a_second(
    name: str, option: click.Option, capsys: pytest.CaptureFixture[str]
) -> None:
    assert option.multiple is (option.opts[0] in ADD_UP)
    if option.multiple:
        return
    assert cli.run([name, SAMPLE, SAMPLE, option.opts[0], "a", option.opts[-1], "a"]) == 2
    assert f"{option.opts[-1]} is given 2 times, and only one can count." in capsys.readouterr().err


def test_every_command_is_careful_and_has_what_was_walked() -> None:
    assert {"open", "report", "compare"} <= {name for name, _ in _valued()}
    assert ("report", "--policy") in [(name, option.opts[0]) for name, option in _valued()]


def test_a_link_in_a_folder_is_named_as_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.jsonl").write_text(Path(SAMPLE).read_text())
    (tmp_path / "current.jsonl").symlink_to(tmp_path / "log.jsonl")
    cli.run(["report", str(tmp_path), "--format", "chat"])
    assert f"No capture, left out: {tmp_path}/current.jsonl (a link)." in capsys.readouterr().err
