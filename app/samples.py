"""Finds the sample traces that come with the program, by name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path

DEFAULT = "all-three"
_BESIDE = (".policy.json", ".templates.json")
_NO_SAMPLES = (".py", ".md", *_BESIDE)


class UnknownSample(LookupError):
    """No sample has this name."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample trace, with the policy and template files that lie beside it (None where there is none)."""

    name: str
    capture: str
    policy: str | None
    templates: str | None


def sample_names() -> tuple[str, ...]:
    """Returns the names of all samples, sorted."""
    return tuple(sorted(_captures()))


def find_sample(name: str = DEFAULT) -> Sample:
    """Returns a sample by its file's name without suffixes.

    Raises:
        UnknownSample: there is none of this name.
    """
    capture = _captures().get(name)
    if capture is None:
        raise UnknownSample(name)
    policy, templates = (_beside(capture.with_name(f"{name}{suffix}")) for suffix in _BESIDE)
    return Sample(name, str(capture), policy, templates)


def _captures() -> dict[str, Path]:
    folder = Path(str(resources.files("sample_traces")))
    return {
        path.name.split(".")[0]: path
        for path in sorted(folder.iterdir())
        if path.is_file() and not path.name.endswith(_NO_SAMPLES) and not path.name.startswith((".", "_"))
    }


def _beside(path: Path) -> str | None:
    return str(path) if path.is_file() else None
