"""What is sent to the terminal's clipboard, which may or may not take it: nothing tells us."""

from __future__ import annotations

# Terminals and multiplexers cut or drop longer clipboard sequences (OSC 52), and none of them says so.
CLIPBOARD_LIMIT = 8_000


def is_too_long(text: str) -> bool:
    """Whether a text is not sent at all: half of it on the clipboard would be taken for the whole."""
    return len(text.encode()) > CLIPBOARD_LIMIT
