"""Finds the sample traces that come with the program, by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

DEFAULT = "all-three"
_BESIDE = (".policy.json", ".templates.json")
_NO_SAMPLES = (".py", ".md", *_BESIDE)


_CLEAN = "-clean"
_REPAIRED = "the same, repaired: nothing is wrong"

# What each trace shows, in the order of the start screen.
_SHOWS = {
    "unescaped-values": "values put in without encoding; a slash decides",
    "another-tenant": "a correct URI, and a report of another tenant",
    "decoded-twice": "`%252F` decoded twice; the document shows it",
    "all-three": "the three faults in one read",
    "segments-form-encoded": "a space sent as `+`, as forms do",
    "segments-illegal-character": "a character that no URI may hold",
    "segments-raw-reserved": "a reserved character that was not encoded",
    "segments-smuggled-parameter": "a value that adds a query parameter",
    "segments-unexpanded": "a template that was not expanded",
    "document-decoded-across-segments": "an encoded slash decoded into two segments",
    "document-echo-decoded-twice": "only the echoed URI shows a second decode",
    "principal-foreign-tenant-by-claim": "another tenant, by the claims of a token",
    "remark-changed-on-the-way": "a hop decodes the URI; two captures show where",
    "remark-policy-differs": "log and policy name different tenants",
    "remark-template-not-servable": "a listed template that is never served",
    "remarks-callers": "remarks on who asked, and on refusals",
    "remarks-documents": "remarks on documents and echoed URIs",
    "remarks-http": "remarks on HTTP headers and caching",
    "remarks-pairing": "remarks on requests and their answers",
    "remarks-paths": "remarks on paths that climb out",
    "remarks-templates": "remarks on templates and parameters",
}


class UnknownSample(LookupError):
    """No sample has this name."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample trace, with the policy and template files that lie beside it (None where there is none).

    A folder is a sample too: its captures saw the same traffic.
    """

    name: str
    captures: tuple[str, ...]
    policy: str | None
    templates: str | None

    @property
    def same_traffic(self) -> bool:
        """Whether its captures are witnesses of the same reads."""
        return len(self.captures) > 1


def sample_names() -> tuple[str, ...]:
    """Returns the names of all samples, sorted."""
    return tuple(sorted(_captures()))


def start_order(names: Iterable[str]) -> list[str]:
    """The names with the simplest cases first, and each clean twin after its trace."""
    places = {name: place for place, name in enumerate(_SHOWS)}
    return sorted(names, key=lambda name: (places.get(_trace(name), len(places)), _trace(name), name))


def shows(name: str) -> str:
    """What a sample shows, in a few words; "" for one that nothing is said of."""
    return _REPAIRED if name.endswith(_CLEAN) else _SHOWS.get(name, "")


def _trace(name: str) -> str:
    return name.removesuffix(_CLEAN)


def find_sample(name: str = DEFAULT) -> Sample:
    """Returns a sample by its file's name without suffixes.

    Raises:
        UnknownSample: there is none of this name.
    """
    capture = _captures().get(name)
    if capture is None:
        raise UnknownSample(name)
    policy, templates = (_beside(capture.with_name(f"{name}{suffix}")) for suffix in _BESIDE)
    return Sample(name, _files(capture), policy, templates)


def _captures() -> dict[str, Path]:
    folder = Path(str(resources.files("sample_traces")))
    return {
        path.name.split(".")[0]: path
        for path in sorted(folder.iterdir())
        if not path.name.endswith(_NO_SAMPLES) and not path.name.startswith((".", "_"))
    }


def _files(path: Path) -> tuple[str, ...]:
    return tuple(str(each) for each in sorted(path.iterdir())) if path.is_dir() else (str(path),)


def _beside(path: Path) -> str | None:
    return str(path) if path.is_file() else None
