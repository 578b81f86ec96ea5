"""The chart of the ring's colour readings: points in a plane of hues, with an ellipse around each calibrated colour.

The module also places the names of the colours so that they cover as little as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, degrees, hypot, sqrt

from companion.ports.calibration import Dot
from web.http.formatting import named
from web.http.i18n import _, ngettext

# Labels: each name is placed next to its object, where it covers the least.

LETTER, LINE = 12.6, 25.0  # size of the text on a phone, where it is largest relative to the picture


@dataclass(frozen=True)
class LabelBox:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def wide(self) -> float:
        """The width of the rectangle."""
        return self.right - self.left

    @property
    def high(self) -> float:
        """The height of the rectangle."""
        return self.bottom - self.top

    def smaller(self, by: float) -> LabelBox:
        """Return the rectangle reduced by *by* on each side."""
        return LabelBox(self.left + by, self.top + by, self.right - by, self.bottom - by)

    def shared(self, other: LabelBox) -> float:
        """Return the area of the intersection with *other*."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(wide, 0.0) * max(high, 0.0)


@dataclass(frozen=True)
class Label:
    """A text, and the coordinates of the middle of its baseline."""

    words: str
    x: float
    y: float


Thing = tuple[str, float, float, float, float]
"""An object to label: its name, the coordinates of its middle, half its width and half its height."""


def placed(things: Sequence[Thing], frame: LabelBox, others: Sequence[LabelBox] = ()) -> tuple[Label, ...]:
    """Return a label inside *frame* for each of *things*. Labels avoid covering objects and other labels."""
    taken = [*others, *(LabelBox(x - wide, y - high, x + wide, y + high) for _, x, y, wide, high in things)]
    found = []
    for words, x, y, wide, high in things:
        box = min(_spots(words, x, y, wide, high), key=lambda spot: _cost(spot, taken, frame))
        taken.append(box)
        found.append(Label(words, round((box.left + box.right) / 2, 1), round(box.bottom - 7, 1)))
    return tuple(found)


def _spots(words: str, x: float, y: float, wide: float, high: float) -> list[LabelBox]:
    half = len(words) * LETTER / 2
    rows = (y - high - LINE / 2 - 3, y + high + LINE / 2 + 3)
    columns = (x + wide + half + 5, x - wide - half - 5)
    sides = [(column, y) for column in columns]
    corners = [(column, row) for row in rows for column in (x + half * 0.7, x - half * 0.7)]
    middles = [*((x, row) for row in rows), *sides, *corners]
    return [LabelBox(cx - half, cy - LINE / 2, cx + half, cy + LINE / 2) for cx, cy in middles]


def _cost(spot: LabelBox, taken: Sequence[LabelBox], frame: LabelBox) -> float:
    inside = frame.shared(spot)
    outside = spot.wide * spot.high - inside
    return sum(spot.shared(each) for each in taken) + 4 * outside


WIDTH, HEIGHT = 520, 400
PLOT = LabelBox(30, 8, WIDTH - 8, HEIGHT - 8)
MARGIN = 64.0  # between the outermost reading and the frame: room for half an ellipse and a name
LEAST_SPAN = 0.12  # in units of hue; a narrower cloud is not enlarged to fill the picture
SIGMAS = 2.2  # about nine of ten readings are inside the ellipse
LEAST_RADIUS = 11.0
DRAWS = 40
STRIP = (40.0, 480.0)


@dataclass(frozen=True)
class ReadingMark:
    """One reading in the picture. *fresh* says that it is the newest."""

    colour: str | None
    x: float
    y: float
    fresh: bool = False


@dataclass(frozen=True)
class ColourGroup:
    """A calibrated colour: its readings, the ellipse around them, its label, and its range of brightness."""

    colour: str
    words: str
    marks: tuple[ReadingMark, ...]
    cx: float
    cy: float
    rx: float
    ry: float
    turn: float
    label: Label
    dark: float
    light: float
    mid: float


@dataclass(frozen=True)
class PlanePicture:
    """The whole picture, in units of its view box."""

    groups: tuple[ColourGroup, ...]
    draws: tuple[ReadingMark, ...]
    x: float
    y: float
    rings: tuple[float, ...]
    words: str

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show yet."""
        return not (self.groups or self.draws)


def picture(dots: Sequence[Dot], draws: Sequence[Dot] = (), names: Mapping[str, str] | None = None) -> PlanePicture:
    """Return the picture of the calibration's readings (*dots*) and of the last *draws*, newest first.

    *names* are the players' names by colour. The point of grey is always inside the picture.
    """
    shown = tuple(draws[:DRAWS])
    place = _Place.around([(dot.x, dot.y) for dot in dots] or [(dot.x, dot.y) for dot in shown])
    marks = tuple(_mark(dot, place, at == 0) for at, dot in enumerate(shown))
    groups = _groups(dots, place, names or {}, marks)
    x, y = place.at(0, 0)
    rings = tuple(place.scale * share for share in place.rings)
    return PlanePicture(groups, tuple(reversed(marks)), x, y, rings, _words(groups, shown))


@dataclass(frozen=True)
class _Place:
    """The mapping from hues to coordinates in the picture, with the same scale in both directions."""

    scale: float
    x: float
    y: float

    @classmethod
    def around(cls, points: Iterable[tuple[float, float]]) -> _Place:
        xs, ys = zip((0.0, 0.0), *points, strict=True)
        wide, high = (max(max(each) - min(each), LEAST_SPAN) for each in (xs, ys))
        scale = min((PLOT.wide - 2 * MARGIN) / wide, (PLOT.high - 2 * MARGIN) / high)
        return cls(scale, (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of a hue. A position outside of the picture is moved to its edge."""
        across = (PLOT.left + PLOT.right) / 2 + (x - self.x) * self.scale
        down = (PLOT.top + PLOT.bottom) / 2 - (y - self.y) * self.scale
        inside = PLOT.smaller(10)
        return _within(across, inside.left, inside.right), _within(down, inside.top, inside.bottom)

    @property
    def rings(self) -> tuple[float, ...]:
        """The radii, in hue, of three circles around grey."""
        third = PLOT.wide / 2 / self.scale / 3
        return third, 2 * third, 3 * third


def _within(value: float, least: float, most: float) -> float:
    return round(min(max(value, least), most), 1)


def _mark(dot: Dot, place: _Place, fresh: bool = False) -> ReadingMark:
    return ReadingMark(dot.colour, *place.at(dot.x, dot.y), fresh)


def _groups(
    dots: Sequence[Dot], place: _Place, names: Mapping[str, str], draws: Sequence[ReadingMark]
) -> tuple[ColourGroup, ...]:
    colours = dict.fromkeys(dot.colour for dot in dots if dot.colour is not None)
    clouds = {colour: [dot for dot in dots if dot.colour == colour] for colour in colours}
    rounds = {colour: _ellipse([place.at(dot.x, dot.y) for dot in cloud]) for colour, cloud in clouds.items()}
    words = {colour: f"{names[colour]}, {named(colour)}" if colour in names else named(colour) for colour in colours}
    labels = placed([(words[each], *_upright(rounds[each])) for each in colours], PLOT, _always_visible(draws))
    return tuple(
        ColourGroup(each, words[each], _marks(clouds[each], place), *rounds[each], labels[at], *_lights(clouds[each]))
        for at, each in enumerate(colours)
    )


def _marks(cloud: Sequence[Dot], place: _Place) -> tuple[ReadingMark, ...]:
    return tuple(_mark(dot, place) for dot in cloud)


def _ellipse(points: Sequence[tuple[float, float]]) -> tuple[float, float, float, float, float]:
    """Return the middle, half axes and rotation (in degrees) of the ellipse around *points*."""
    count = len(points)
    cx, cy = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    xx = sum((x - cx) ** 2 for x, _ in points) / count
    yy = sum((y - cy) ** 2 for _, y in points) / count
    xy = sum((x - cx) * (y - cy) for x, y in points) / count
    middle, reach = (xx + yy) / 2, hypot((xx - yy) / 2, xy)
    long, short = (max(SIGMAS * sqrt(max(each, 0.0)) + 6, LEAST_RADIUS) for each in (middle + reach, middle - reach))
    turn = degrees(atan2(2 * xy, xx - yy)) / 2 if reach else 0.0
    return round(cx, 1), round(cy, 1), round(long, 1), round(short, 1), round(turn, 1)


def _always_visible(draws: Sequence[ReadingMark]) -> list[LabelBox]:
    """Return boxes around the draws that no label may hide: the newest, and those with an uncertain colour."""
    shown = (mark for mark in draws if mark.fresh or mark.colour is None)
    return [LabelBox(mark.x - 16, mark.y - 16, mark.x + 16, mark.y + 16) for mark in shown]


def _upright(ellipse: tuple[float, float, float, float, float]) -> tuple[float, float, float, float]:
    """Return the middle, half width and half height of a rectangle that approximately encloses *ellipse*."""
    cx, cy, rx, ry, turn = ellipse
    lying = abs((turn + 90) % 180 - 90) / 90
    return cx, cy, rx + (ry - rx) * lying, ry + (rx - ry) * lying


def _lights(cloud: Sequence[Dot]) -> tuple[float, float, float]:
    """Return the positions of the darkest, the lightest and the median reading on the strip below the picture."""
    lights = sorted(min(max(dot.light, 0.0), 1.0) for dot in cloud)
    left, right = STRIP
    # The square root spreads dark shades, which the eye distinguishes better than bright ones.
    spots = [round(left + sqrt(light) * (right - left), 1) for light in lights]
    return spots[0], spots[-1], spots[len(spots) // 2]


def _words(groups: Sequence[ColourGroup], draws: Sequence[Dot]) -> str:
    taught = _("nothing learnt")
    if groups:
        names = ", ".join(group.words for group in groups)
        taught = ngettext(
            "%(num)s colour learnt: %(names)s", "%(num)s colours learnt: %(names)s", len(groups), names=names
        )
    drawn = _("no readings since")
    if draws:
        unsure = sum(dot.colour is None for dot in draws)
        drawn = ngettext(
            "%(num)s reading since, %(unsure)s of them unsure",
            "%(num)s readings since, %(unsure)s of them unsure",
            len(draws),
            unsure=unsure,
        )
    return _("How the ring sees colours: %(taught)s; %(drawn)s", taught=taught, drawn=drawn)
