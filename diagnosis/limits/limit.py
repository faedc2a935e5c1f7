"""What a limit of the program is."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType


@dataclass(frozen=True, slots=True)
class Limit:
    """One finite limit: what is limited, in which unit, what happens where it is reached, and where that is said.

    The value is that of `constant` in `module` (with a dot: a field of it), and never a copy.
    """

    what: str
    module: ModuleType
    constant: str
    unit: str
    reached: str
    said: str

    @property
    def value(self) -> int | float:
        """The limit itself, in its unit."""
        found: object = self.module
        for name in self.constant.split("."):
            found = getattr(found, name)
        assert isinstance(found, (int, float)), self.constant
        return found
