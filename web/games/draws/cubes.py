"""Cubes as pages show them: each colour with a shape, or with a letter that no other has on this table."""

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
    """Return a face for each colour; letters, all different, are for those without a shape of their own."""
    known = faces(Seat(colour, named(colour)) for colour in colours)
    return {colour: replace(face, letter="") if colour in SHAPED else face for colour, face in known.items()}


def shown(state: State, counts: Counts | Cubes) -> Shown:
    """Return the cubes of which there are any, in the order of the table."""
    cubes = dict(counts)
    known = cube_faces(state.colours)
    return tuple((known[colour], cubes[colour]) for colour in state.colours if cubes.get(colour))
