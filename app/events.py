"""What the loading thread tells the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from diagnosis.ledger import Progress

if TYPE_CHECKING:
    from app.loading import Overview


@dataclass
class ReadsArrived(Message):
    """More of the captures was read. A slow screen drops all of these but the last."""

    progress: Progress
    overview: Overview

    def can_replace(self, message: Message) -> bool:
        """The newer one says everything that the older one said."""
        return isinstance(message, ReadsArrived)


@dataclass
class LoadEnded(Message):
    """The captures were read to their end, or the load was stopped; the answers are final."""

    progress: Progress | None
    overview: Overview


@dataclass
class LoadFailed(Message):
    """The captures could not be read; `lines` say why, in whole sentences."""

    lines: tuple[str, ...]
