"""The assembly steps, read from steps.toml: the parts that each step takes, and the path of its picture."""

import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

DIGITS, LETTERS = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SOURCE = Path(__file__).parent.parent / "steps.toml"


@dataclass(frozen=True)
class AssemblyStep:
    """One step: its heading on the page, the number of each part that it takes, and the printed parts."""

    number: int
    name: str
    title: str
    section: str
    takes: Counter[str]
    printed: tuple[str, ...] = ()
    picture: str = ""

    @property
    def path(self) -> str:
        """Path of its picture, relative to the page."""
        return f"pictures/{self.picture or f'steps/{self.number:02}-{self.name}'}.svg"

    @property
    def line(self) -> str:
        """The line on the page before its picture."""
        taken = [f"{count} × {ref}" for ref, count in self.takes.items() if ref[0] == "H"]
        told = ", ".join([*_runs([ref for ref in self.takes if ref[0] != "H"]), *taken])
        printed = ", ".join(self.printed)
        return (
            f"**Step {self.number}: {self.title}.**"
            + f" Parts: {told}." * bool(told)
            + f" Printed: {printed}." * bool(printed)
        )


def steps(source: Path = SOURCE) -> list[AssemblyStep]:
    """Return all steps in order."""
    told = tomllib.loads(source.read_text())["step"]
    return [
        AssemblyStep(
            number,
            one["name"],
            one["title"],
            one["section"],
            _counted(one.get("takes", [])),
            tuple(one.get("printed", ())),
            one.get("picture", ""),
        )
        for number, one in enumerate(told, 1)
    ]


def _counted(takes: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for each in takes:
        ref, _, count = each.partition(" x ")
        found[ref] += int(count or 1)
    return found


def _runs(refs: list[str]) -> list[str]:
    """Return *refs* with runs of three or more consecutive designators joined.

    >>> _runs(["R1", "R2", "R3", "S1"])
    ['R1 to R3', 'S1']
    """
    runs: list[list[str]] = []
    for ref in refs:
        if runs and ref == f"{runs[-1][-1].rstrip(DIGITS)}{int('0' + runs[-1][-1].lstrip(LETTERS)) + 1}":
            runs[-1].append(ref)
        else:
            runs.append([ref])
    return [told for run in runs for told in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run)]
