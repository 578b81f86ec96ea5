"""Pages on which cubes are chosen colour by colour: to draw several, put in, put back, throw, take out or count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.games.draws.cubes import MOST, MOST_COLOURS, Counts
from companion.games.draws.state import State
from companion.kernel.said import Said
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from web.components.addresses import to
from web.components.bar import PlayBar
from web.components.legality import why_not
from web.components.players import SHAPED, Face
from web.games.draws.cubes import cube_faces
from web.games.draws.layout import bar, by, tower_bar
from web.http.i18n import _, translated
from web.request.game_pages import Elsewhere, Found, Look, Scene

COUNTED = "counted"


@dataclass(frozen=True)
class Handful:
    """One such page: the `do` of its line, its title, the text of its button, its rules card, and the largest counts.

    *there* returns the largest counts; None means that there is no limit. *brings* says that new colours may be added.
    *counting* is the place whose counts the page corrects; the page begins with the present counts of that place.
    """

    do: str
    title: Said
    deed: Callable[[int], str]
    card: str
    there: Callable[[State], Counts] | None = None
    after: str = ""
    brings: bool = False
    counting: str = ""


def saved(number: int) -> str:
    """Return the text of the button that saves a count."""
    return _("Save this count")


@dataclass(frozen=True)
class Heap:
    """A colour on the page: the chosen number, the largest possible number, and the URLs for one more and one fewer."""

    face: Face
    count: int
    most: int
    more: str
    fewer: str
    differs: bool


def handful_scene(look: Look, path: str, kind: Handful) -> Found:
    """Return the page at *path*. The cubes chosen so far are in the query of its URL.

    After the end, only the page that corrects the count inside is available.
    """
    state: State = look.state
    if state.finished and kind.counting != "inside":
        return Elsewhere()
    colours = _colours(state, look.query)
    limits = {colour: _most(state, kind, colour, look.viewer) for colour in colours}
    chosen = _chosen(state, kind, colours, look.query, limits)
    heaps = _heaps(state, kind, chosen, limits, lambda counts: _address(path, counts, _new(look.query)))
    there = tuple(heap for heap in heaps if heap.most) or heaps
    line, all_back = _line(state, kind, chosen, look.viewer), {"do": "return", **by(look.viewer)}
    facts = {
        "path": path,
        "kind": kind,
        "heaps": there,
        "palette": _palette(path, colours, chosen, _new(look.query)) if kind.brings else (),
        "line": line,
        "deed": kind.deed(sum(chosen.values())),
        "all_back": all_back if path == "back" else None,
        "all_reason": why_not(look.snapshot, all_back) if path == "back" else "",
        "reason": why_not(look.snapshot, line) if line is not None else "",
        "number": sum(chosen.values()),
        "after": f"/table/{kind.after}".rstrip("/"),
        "columns": 4 if len(there) > 6 else max(2, min(3, len(there))),
    }
    return Scene("draws/handful.html", facts, _heading(look.snapshot, kind, chosen))


def _heading(snapshot: Snapshot, kind: Handful, chosen: Counts) -> PlayBar:
    """Return the bar. On a page that corrects a count, the bar shows the new number and, if it differs, the old one."""
    title, back = str(translated(kind.title)), f"/table/{kind.after}".rstrip("/")
    heading = tower_bar(snapshot, title, back) if kind.after else bar(snapshot, title, back)
    before = kind.there(snapshot.state) if kind.counting and kind.there else chosen
    if dict(chosen) == dict(before):
        return heading
    number, was = sum(chosen.values()), sum(before.values())
    if kind.after:
        return replace(heading, left_words=_("%(num)s in the tower, was %(was)s", num=number, was=was))
    return replace(heading, left_words=_("%(num)s inside, was %(was)s", num=number, was=was))


def _new(query: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(colour for colour in query.get("new", "").split(",") if colour in SHAPED)


def _colours(state: State, query: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*state.colours, *_new(query))))[:MOST_COLOURS]


def _most(state: State, kind: Handful, colour: str, viewer: Viewer) -> int:
    if kind.there is None or kind.counting:
        return MOST
    if kind.do == "return" and viewer.seat is not None:  # A phone puts back only the cubes that its own seat holds.
        return state.holds.get(viewer.seat, {}).get(colour, 0)
    return kind.there(state).get(colour, 0)


def _chosen(
    state: State, kind: Handful, colours: tuple[str, ...], query: Mapping[str, str], limits: Mapping[str, int]
) -> dict[str, int]:
    """Return the number of cubes of each colour in *query*.

    A page that corrects a count begins with the present counts.
    """
    usual = kind.there(state) if kind.counting and kind.there else {}
    said = query.get("n", "").split(",") if "n" in query else []
    numbers = [int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0 for text in said]
    if "n" not in query:
        return {colour: usual.get(colour, 0) for colour in colours}
    padded = [*numbers, *([0] * len(colours))]
    return {colour: min(count, limits[colour]) for colour, count in zip(colours, padded, strict=False)}


def _address(path: str, chosen: Counts, new: tuple[str, ...]) -> str:
    return to(path, n=",".join(str(count) for count in chosen.values()), new=",".join(new))


def _heaps(
    state: State, kind: Handful, chosen: Counts, limits: Mapping[str, int], address: Callable[[Counts], str]
) -> tuple[Heap, ...]:
    known = cube_faces(chosen)
    before = kind.there(state) if kind.counting and kind.there else chosen

    def step(colour: str, by_one: int) -> str:
        count = chosen[colour] + by_one
        return address({**chosen, colour: count}) if 0 <= count <= limits[colour] else ""

    return tuple(
        Heap(
            *(known[colour], count, limits[colour], step(colour, 1), step(colour, -1)),
            differs=before.get(colour, 0) != count,
        )
        for colour, count in chosen.items()
    )


def _palette(path: str, colours: tuple[str, ...], chosen: Counts, new: tuple[str, ...]) -> tuple[tuple[Face, str], ...]:
    """Return the colours that are not on the table yet, each with the URL that adds one cube of that colour."""
    if len(colours) >= MOST_COLOURS:
        return ()
    others = tuple(colour for colour in SHAPED if colour not in colours)
    known = cube_faces((*colours, *others))
    return tuple((known[colour], _address(path, {**chosen, colour: 1}, (*new, colour))) for colour in others)


def _line(state: State, kind: Handful, chosen: Counts, viewer: Viewer) -> dict[str, Any] | None:
    """Return the line for the chosen cubes, or None if the line would change nothing."""
    if kind.counting:
        before = kind.there(state) if kind.there else {}
        changed = {colour: count for colour, count in chosen.items() if before.get(colour, 0) != count}
        return {"do": kind.do, "reason": COUNTED, kind.counting: changed} if changed else None
    cubes = {colour: count for colour, count in chosen.items() if count}
    return {"do": kind.do, "cubes": cubes, **by(viewer)} if cubes else None
