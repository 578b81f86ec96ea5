"""The nets of the board and the holes of its parts, read from board.toml, for both kinds of board."""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "board.toml"
COLUMNS, ROWS = 24, 18
PICO_PINS, SIDE, LOW_ROW, HIGH_ROW = 40, 20, 12, 5
FIRST = 4  # the Pico's first column, so that a straight plug has room
LEGS = {"D": ("A", "K"), "Q": ("C", "B", "E")}
Hole = tuple[int, int]


@dataclass(frozen=True)
class Netlist:
    """Nets by name, each a list of pins such as `D4.K`, and holes by designator, in the order of the part's legs."""

    nets: dict[str, list[str]]
    holes: dict[str, list[Hole]]

    @cached_property
    def net_of(self) -> dict[str, str]:
        """The net of each pin; unconnected pins are missing."""
        return {pin: name for name, pins in self.nets.items() for pin in pins}

    @cached_property
    def at(self) -> dict[str, Hole]:
        """The hole of each pin."""
        return {
            f"{ref}.{leg}": hole
            for ref, holes in self.holes.items()
            for leg, hole in zip(legs(ref, holes), holes, strict=True)
        }

    @property
    def cables(self) -> list[str]:
        """The designators of the cables that leave the board."""
        return [ref for ref in self.holes if ref[0] == "W"]


def legs(ref: str, holes: list[Hole]) -> list[str]:
    """Return the names of the legs of *ref*: letters for diodes and transistors, numbers for all others."""
    return list(LEGS.get(ref[0], [str(n) for n in range(1, len(holes) + 1)]))


def board(source: Path = SOURCE) -> Netlist:
    """Return the board of the file *source*, with the Pico (U1) in its sockets."""
    told = tomllib.loads(source.read_text())
    holes = {ref: [(column, row) for column, row in places] for ref, places in told["holes"].items()}
    return Netlist(told["nets"], {"U1": [pico_hole(n) for n in range(1, PICO_PINS + 1)], **holes})


def pico_hole(pin: int) -> Hole:
    """Return the hole of a *pin* of the Pico: 1 to 20 below, starting at its plug; 21 to 40 above, going back."""
    return (FIRST + pin - 1, LOW_ROW) if pin <= SIDE else (FIRST + PICO_PINS - pin, HIGH_ROW)
