"""The version of this program, as its package says."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """Returns the installed version; `unknown` where the program was never installed."""
    try:
        return metadata.version("misread")
    except metadata.PackageNotFoundError:
        return "unknown"
