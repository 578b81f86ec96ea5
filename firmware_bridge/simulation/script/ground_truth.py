"""What really happened at a simulated ring, to compare with what its host received."""

from __future__ import annotations

from companion.kernel.values import dataclass


@dataclass(frozen=True)
class GroundTruth:
    """One thing that the hand did. *seq* is its event's number, None if the device had no room to store the event.

    *written_ns* is CLOCK_MONOTONIC in nanoseconds when the event's last byte was first written,
    None if it was not written.
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
