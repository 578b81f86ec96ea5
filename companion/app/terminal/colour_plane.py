"""The colour plane and the confusion table, drawn with letters on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.ports.calibration import Dot

WIDTH, HEIGHT = 60, 16


def picture(dots: Sequence[Dot]) -> str:
    """Return *dots* as a plot of letters, or "" if there are none. Redder is to the right, yellower is up."""
    if not dots:
        return ""
    letters = initials([dot.colour for dot in dots if dot.colour])
    across, up = [dot.x for dot in dots], [dot.y for dot in dots]
    field = [[" "] * WIDTH for _ in range(HEIGHT)]
    for dot in dots:
        column = _place(dot.x, across, WIDTH)
        row = HEIGHT - 1 - _place(dot.y, up, HEIGHT)
        field[row][column] = letters.get(dot.colour or "", "?")
    named = ", ".join(f"{letter} {colour}" for colour, letter in letters.items())
    return "\n".join(["".join(row).rstrip() for row in field] + [f"({named}; redder to the right, yellower above)"])


def confusion_table(confusion: Mapping[str, Mapping[str, int]]) -> str:
    """Return a line for each colour, with counts of the colours that its passes were recognised as.

    Each pass was judged by a calibration from the other passes.
    """
    width = max((len(colour) for colour in confusion), default=0)
    lines = [
        f"{colour:{width}}  " + ", ".join(f"{read} {count}" for read, count in sorted(row.items(), key=lambda e: -e[1]))
        for colour, row in confusion.items()
    ]
    return "\n".join(lines)


def initials(colours: Sequence[str]) -> dict[str, str]:
    """Return a letter for each colour: the first letter of its name that no other colour has, or else a digit."""
    found: dict[str, str] = {}
    for colour in dict.fromkeys(colours):
        free = [letter for letter in colour if letter.isalnum() and letter not in found.values()]
        found[colour] = free[0] if free else str(len(found) % 10)
    return found


def _place(value: float, among: Sequence[float], steps: int) -> int:
    low, high = min(among), max(among)
    return round((value - low) / (high - low) * (steps - 1)) if high > low else steps // 2
