"""What really happened at a simulated ring, to be compared with the events that its host received."""

from __future__ import annotations

from companion.kernel.values import dataclass


@dataclass(frozen=True)
class GroundTruth:
    """One thing that the hand did.

    *seq* is the number of its event, or None if the device had no room to store the event.

    *written_ns* is the CLOCK_MONOTONIC time in nanoseconds at which the last byte of the event was first written, or
    None if it was never written.
    """

    n: int
    kind: str
    colours: tuple[str, ...]
    boot: str
    seq: int | None
    written_ns: int | None = None

    def line(self) -> dict[str, object]:
        """Return the entry as it is written to the truth file, one JSON object per line."""
        entry: dict[str, object] = {"n": self.n, "kind": self.kind, "colour": self.colours[0] if self.colours else None}
        if len(self.colours) > 1:
            entry["colours"] = list(self.colours)
        return entry | {"boot": self.boot, "seq": self.seq, "written_ns": self.written_ns}
