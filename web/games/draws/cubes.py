"""Cubes as pages show them: known colours have a shape, and other colours have a letter that is unique at the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.games.draws.cubes import Counts, Cubes
from companion.games.draws.state import State
from companion.model.game import Seat
from web.components.players import SHAPED, Face, faces
from web.http.formatting import named

Shown = tuple[tuple[Face, int], ...]


def cube_faces(colours: Iterable[str]) -> Mapping[str, Face]:
    """Return a `Face` for each colour. Colours without a shape get different letters."""
    known = faces(Seat(colour, named(colour)) for colour in colours)
    return {colour: replace(face, letter="") if colour in SHAPED else face for colour, face in known.items()}


def shown(state: State, counts: Counts | Cubes) -> Shown:
    """Return the colours with at least one cube in *counts*, in the table's order of colours."""
    cubes = dict(counts)
    known = cube_faces(state.colours)
    return tuple((known[colour], cubes[colour]) for colour in state.colours if cubes.get(colour))
