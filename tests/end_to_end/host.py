"""A host that reads reports as a person would: from a form drawn from the template, and by following a link."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

from mcp import Client, MCPError, StdioServerParameters, UriTemplate
from mcp.client.stdio import stdio_client

HERE = Path(__file__).parent
SESSION = "s1"
TENANT = "acme"

# What is typed into the form: a section whose name holds a space, an ampersand and a separator.
TYPED = {"tenant": TENANT, "month": "2025-10", "section": "R & D/costs"}
# A link that another document gave: the section's own name is R%26D (it was imported with its encoding).
LINK = f"report://{TENANT}/2025-10/section/R%2526D"
# Another customer's report, correctly spelled.
FOREIGN = {"tenant": "northwind", "month": "2025-10", "section": "summary"}


@dataclass(frozen=True, slots=True)
class Faults:
    """Which faults the client and the server have."""

    no_encoding: bool = False
    decode_again: bool = False
    no_check: bool = False


def expand(template: str, values: Mapping[str, str]) -> str:
    """The expansion of RFC 6570."""
    return UriTemplate.parse(template).expand(values)


def substitute(template: str, values: Mapping[str, str]) -> str:
    """What is written by hand instead: the values as they were typed."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return template


async def visit(log: Path, errors: TextIO, faults: Faults, mode: Literal["auto", "legacy"], *, bare: bool) -> None:
    """One session: asks for the templates and reads three reports, with every line kept in `log`."""
    server = [sys.executable, str(HERE / "ledger.py"), "--tenant", TENANT]
    server += ["--decode-again"] * faults.decode_again + ["--no-check"] * faults.no_check
    session = [] if bare else ["--session", SESSION]
    tapped = [str(HERE / "wiretap.py"), str(log), *session, "--", *server]
    spell = substitute if faults.no_encoding else expand
    streams = stdio_client(StdioServerParameters(command=sys.executable, args=tapped), errlog=errors)
    async with Client(streams, mode=mode, read_timeout_seconds=20) as client:
        template = (await client.list_resource_templates()).resource_templates[0].uri_template
        for uri in (spell(template, TYPED), LINK, spell(template, FOREIGN)):
            await _read(client, uri)


async def _read(client: Client, uri: str) -> None:
    """Reads, and goes on after an error as a host does."""
    try:
        await client.read_resource(uri)
    except MCPError:
        return
