"""All rungs and device faults: those of this kit, and those that other packages declare as entry points.

[project.entry-points."rungs"]
chip = "my_rungs.chip:make"           # make(spec) -> Rung

[project.entry-points."rungs.faults"]
stuck = "my_rungs.chip:stuck"         # stuck(rung), called before each test
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from rungs.rung import Missing, Rung, Spec

RUNGS, FAULTS = "rungs", "rungs.faults"
DEVICE = "RUNGS_FAULT_DEVICE"
"""The environment variable that names the device fault of a run of `--rungs-faults`."""
SHIPPED = tuple(
    EntryPoint(name, f"rungs.{module}:{name}", RUNGS)
    for module, names in (
        ("shipped", ("serial", "process", "replay", "hand")),
        ("farms", ("jumpstarter", "labgrid", "embedded")),
    )
    for name in names
)
"""The entry points of this distribution, which also work in a checkout that is not installed."""
OWN = {RUNGS: ("or those of this suite's conftest.py",), FAULTS: ()}


def make(spec: Spec) -> Rung:
    """Create the rung that *spec* names. Raise `Missing` with a sentence if it is unknown or not available."""
    made: Rung = _loaded(RUNGS, spec.name, "rung", str(spec))(spec)
    return made


def fault(name: str) -> Callable[[Rung], None]:
    """Return the function that applies the device fault *name* to a rung. Raise `Missing` if there is none."""
    found: Callable[[Rung], None] = _loaded(FAULTS, name, "device fault")
    return found


def _loaded(group: str, name: str, kind: str, text: str = "") -> Any:
    known = {*(SHIPPED if group == RUNGS else ()), *entry_points(group=group)}
    found = [each for each in known if each.name == name]
    if not found:
        others = [*sorted({each.name for each in known}), *OWN[group]]
        raise Missing(
            f"There is no {kind} {text or name!r}: choose from {', '.join(others) or 'none, as none is installed'}."
        )
    if len(found) > 1:
        values = " and ".join(sorted(each.value for each in found))
        raise Missing(f"Two packages have a {kind} {name!r}: {values}.")
    try:
        return found[0].load()
    except (ImportError, AttributeError) as fault:
        raise Missing(f"The {kind} {name!r} can't be loaded: {fault}.") from None
