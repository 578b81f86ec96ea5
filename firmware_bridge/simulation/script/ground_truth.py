"""What really happened at a virtual ring, to compare with what was heard."""

from __future__ import annotations

from companion.kernel.values import dataclass


@dataclass(frozen=True)
class GroundTruth:
    """One thing that the hand did; *seq* is None when the device had no room to keep it.

    *written_ns* is CLOCK_MONOTONIC when the event's last byte was first
    written, None while (or if) it never was.
    """

    n: int
    kind: str
    colours: tuple[str, ...]
    boot: str
    seq: int | None
    written_ns: int | None = None

    def line(self) -> dict[str, object]:
        """Return the line of the truth file."""
        told: dict[str, object] = {"n": self.n, "kind": self.kind, "colour": self.colours[0] if self.colours else None}
        if len(self.colours) > 1:
            told["colours"] = list(self.colours)
        return told | {"boot": self.boot, "seq": self.seq, "written_ns": self.written_ns}
