"""A small MCP server over standard input and output: reports of several tenants, and two faults that can be put in.

    python ledger.py --tenant acme [--decode-again] [--no-check]

Its caller is whoever started it, as with every server over standard streams; `--tenant` is what that caller may see.
"""

from __future__ import annotations

import argparse
import json
from urllib.parse import unquote

from mcp import UriTemplate
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

TEMPLATE = "report://{tenant}/{month}/section/{section}"


def ledger(allowed: str, *, decode_again: bool, check: bool) -> MCPServer:
    """The server; its handler gets every value decoded once by the package."""
    server = MCPServer("ledger", version="1.0.0", log_level="ERROR")

    @server.resource(TEMPLATE, mime_type="application/json")
    def report(tenant: str, month: str, section: str) -> str:
        if check and tenant != allowed:
            # Word for word what the package says where nothing matches: the answer gives nothing away.
            values = {"tenant": tenant, "month": month, "section": section}
            raise ResourceNotFoundError(f"Unknown resource: {UriTemplate.parse(TEMPLATE).expand(values)}")
        if decode_again:
            section = unquote(section)
        return json.dumps({"tenant": tenant, "month": month, "section": section, "total": "18204.50"})

    return server


def main() -> None:
    """Serves until standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--decode-again", action="store_true")
    parser.add_argument("--no-check", action="store_true")
    given = parser.parse_args()
    ledger(given.tenant, decode_again=given.decode_again, check=not given.no_check).run("stdio")


if __name__ == "__main__":
    main()
