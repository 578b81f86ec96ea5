"""A sheet that becomes an SVG: shaded pictures and sections with labels and dimensions."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from io import BytesIO
from math import atan2, cos, degrees, hypot, sin
from xml.sax.saxutils import escape

from PIL import Image

PAPER, INK, SIGNAL = "#F0ECE2", "#1A1D29", "#A3106B"
COLOURS = 96  # enough for flat shading, and only a third of the bytes
Point = Sequence[float]

STYLE = """
    text { font-family: 'DejaVu Sans', Roboto, sans-serif; font-size: 15px; fill: #1A1D29;
      paint-order: stroke; stroke: #F0ECE2; stroke-width: 3px; stroke-linejoin: round }
    .title { font-size: 22px; font-weight: 700 }
    .soft { fill: #53576A; font-size: 14px }
    .name { font-weight: 700 }
    .lead { stroke: #53576A; stroke-width: 1.2; fill: none }
    .dot { fill: #53576A }
    .measure { stroke: #A3106B; stroke-width: 1.3; fill: none }
    .figure { fill: #A3106B; font-size: 14px }
    .beam { stroke: #C62F22; stroke-width: 2; stroke-dasharray: 2 4; fill: none }
    .eye { fill: #FFFFFF; fill-opacity: .85; stroke: #C62F22; stroke-width: 2 }
    .light { fill: #F4C60A; opacity: .35 }
    .axis { stroke: #757888; stroke-width: 1; stroke-dasharray: 12 4 2 4; fill: none }
"""

DEFS = f"""
    <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"
      orient="auto-start-reverse"><path d="M0 1 10 5 0 9z" fill="{SIGNAL}"/></marker>
    <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <path d="M0 0V7" stroke="{INK}" stroke-opacity=".28" stroke-width="1.2"/></pattern>
    <pattern id="other" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
      <path d="M0 0V6" stroke="{INK}" stroke-opacity=".28" stroke-width="1.2"/></pattern>
"""


class Sheet:
    """Collects the elements of a drawing in order and writes them as one SVG."""

    def __init__(self, width: int, height: int, title: str, subtitle: str = "") -> None:
        self.size = (width, height)
        self._said = title
        self._drawn: list[str] = []
        self.text((28, 42), title, "title")
        if subtitle:
            self.text((28, 66), subtitle, "soft")

    def picture(self, image: Image.Image, at: Point = (0, 0)) -> None:
        """Add a shaded picture behind everything else, with its top left corner at *at*."""
        kept = BytesIO()
        image.quantize(COLOURS, dither=Image.Dither.NONE).save(kept, "PNG", optimize=True)
        data = b64encode(kept.getvalue()).decode()
        width, height = image.size
        self._drawn.insert(
            0,
            f'<image x="{at[0]:g}" y="{at[1]:g}" width="{width}" height="{height}"'
            f' href="data:image/png;base64,{data}"/>',
        )

    def face(self, outlines: Iterable[Sequence[Point]], colour: str, hatch: str = "") -> None:
        """Draw a section with its holes; *hatch* is the id of a pattern to draw over it."""
        path = " ".join("M" + " ".join(f"{x:.2f} {y:.2f}" for x, y in outline) + "Z" for outline in outlines)
        if path:
            self.raw(f'<path d="{path}" fill="{colour}" fill-rule="evenodd" stroke="{INK}" stroke-width="1.2"/>')
        if path and hatch:
            self.raw(f'<path d="{path}" fill="url(#{hatch})" fill-rule="evenodd"/>')

    def line(self, points: Sequence[Point], kind: str) -> None:
        """Draw a line of one *kind*: beam, axis, lead or measure."""
        self.raw(f'<polyline class="{kind}" points="{" ".join(f"{x:.2f},{y:.2f}" for x, y in points)}"/>')

    def text(self, at: Point, words: str, kind: str = "", anchor: str = "start", turn: float = 0) -> None:
        """Write *words* on the baseline at *at*."""
        turned = f' transform="rotate({turn:.1f} {at[0]:.1f} {at[1]:.1f})"' if turn else ""
        held = f' text-anchor="{anchor}"' if anchor != "start" else ""
        told = f' class="{kind}"' if kind else ""
        self.raw(f'<text x="{at[0]:.1f}" y="{at[1]:.1f}"{told}{held}{turned}>{escape(words)}</text>')

    def label(self, thing: Point, at: Point, name: str, more: str = "") -> None:
        """Label the *thing* in the picture with words at *at* and a line between them."""
        right = at[0] >= thing[0]
        foot = (at[0] - 6 if right else at[0] + 6, at[1] - 5)
        self.line([foot, thing], "lead")
        self.raw(f'<circle class="dot" cx="{thing[0]:.1f}" cy="{thing[1]:.1f}" r="3"/>')
        anchor = "start" if right else "end"
        self.text(at, name, "name", anchor)
        for row, words in enumerate(more.split("\n") if more else ()):
            self.text((at[0], at[1] + 19 + 18 * row), words, "soft", anchor)

    def measure(self, a: Point, b: Point, words: str, away: float = 0, beside: float = 0) -> None:
        """Draw a dimension line from *a* to *b*, *away* pixels to its left; `beside` shifts the words along it."""
        length = hypot(b[0] - a[0], b[1] - a[1])
        along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
        side = (along[1], -along[0])
        c, d = ((p[0] + side[0] * away, p[1] + side[1] * away) for p in (a, b))
        if away:
            self.line([a, c], "measure")
            self.line([b, d], "measure")
        self._arrow(c, d)
        turn = degrees(atan2(along[1], along[0]))
        turn += 180 if turn > 91 or turn <= -91 else 0
        middle = ((c[0] + d[0]) / 2 + along[0] * beside, (c[1] + d[1]) / 2 + along[1] * beside)
        lift = (sin(turn * 3.14159265 / 180) * 6, -cos(turn * 3.14159265 / 180) * 6)
        self.text((middle[0] + lift[0], middle[1] + lift[1]), words, "figure", "middle", turn)

    def _arrow(self, a: Point, b: Point) -> None:
        self.raw(
            f'<line class="measure" x1="{a[0]:.2f}" y1="{a[1]:.2f}" x2="{b[0]:.2f}" y2="{b[1]:.2f}"'
            ' marker-start="url(#tip)" marker-end="url(#tip)"/>'
        )

    def raw(self, element: str) -> None:
        """Add one SVG element unchanged."""
        self._drawn.append(element)

    def svg(self) -> str:
        """Return the whole sheet as SVG."""
        width, height = self.size
        body = "\n  ".join(self._drawn)
        return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"
  role="img" aria-label="{escape(self._said)}">
  <style>{STYLE}  </style>
  <defs>{DEFS}  </defs>
  <rect width="{width}" height="{height}" fill="{PAPER}"/>
  {body}
</svg>
"""
