"""What the two beams saw: edges become an out, a back, a poke, a pair, a glitch or a stuck.

Beam A is the inner one, B the outer one. A conversation of two beams is held
in one table: from a state and an edge to the next state and, at its end, the
verdict. Colours play no part here: only the beams count cubes.
"""

STUCK_MS = 2_500
FILTER_US = 1_000  # no cube is faster: 8 mm at 2 m/s block a beam for 4 ms
PAIR_EDGES = 165  # hundredths of an edge
LONGEST_EDGES = 350  # what seems longer has vague in the gate: its times tell no length
MOST_EDGES = 16  # what is kept of a cube that dances on a beam
MOST_COUNTED = 99_999_999  # what a line has room for
LIMITS = {"edge": (100, 99_999), "gap": (100, 99_999), "filter": (0, 99_999), "stuck": (1, 99_999), "pair": (100, 350)}

IDLE = "idle"
TABLE = {
    ("idle", "A+"): ("inner", ""),
    ("idle", "B+"): ("outside", ""),
    ("inner", "A-"): ("idle", "poke"),
    ("inner", "B+"): ("both", ""),
    ("both", "A-"): ("outer", ""),
    ("both", "B-"): ("returning", ""),
    ("returning", "B+"): ("both", ""),
    ("returning", "A-"): ("idle", "back"),
    ("outer", "B-"): ("idle", "out"),
    ("outer", "A+"): ("followed", ""),
    # A second cube is at A while the first is still at B. When B goes free the first is out, however long the second
    # rests: a cube that has freed A does not go back behind B.
    ("followed", "A-"): ("outer", ""),
    ("followed", "B-"): ("inner", "first"),
    ("outside", "B-"): ("idle", "glitch"),
    ("outside", "A+"): ("inward", ""),
    ("inward", "A-"): ("outside", ""),
    ("inward", "B-"): ("leaving", "blink"),
    ("leaving", "A-"): ("idle", "glitch"),
    ("leaving", "B+"): ("inward", ""),
}
# Edges after which all is as it was two edges before.
BOUNCES = (("returning", "B+"), ("followed", "A-"), ("inward", "A-"), ("leaving", "B+"))


class Passage:
    """One thing that happened at the gate.

    *kind* is its verdict, *edges* the (beam, on, microseconds) it was told
    from, *length* the estimate in hundredths of a cube's edge (-1: none).
    """

    def __init__(self, kind: str, edges: list[tuple[str, bool, int]], length: int = -1) -> None:
        self.kind = kind
        self.edges = edges
        self.length = length


class Recogniser:
    """Follows the two beams.

    *settings* may be changed at any time with `set`: `edge` and `gap` (a
    cube's edge, the distance of the beams, micrometres), `filter` (a shorter
    blink of a beam is a glitch, microseconds), `stuck` (milliseconds without an
    edge) and `pair` (what is longer are two, hundredths of an edge). There is
    no dead time after a passage: it could hide a cube. *swallowed* counts
    what no passage of its own tells. `on` says which beams are blocked.
    """

    def __init__(self, edge_um: int = 8_000, gap_um: int = 4_000) -> None:
        self.settings = {"edge": edge_um, "gap": gap_um, "filter": FILTER_US, "stuck": STUCK_MS, "pair": PAIR_EDGES}
        self.swallowed = {"blink": 0, "bounce": 0, "same": 0, "cut": 0}
        self._state = IDLE
        self.on = {"A": False, "B": False}
        self._edges: list[tuple[str, bool, int]] = []
        self._moved_us = 0  # the last edge of either beam, which may belong to the passage before
        self._told_stuck = False
        self._danced = False  # and edges of it were left out

    @property
    def since_us(self) -> int:
        """When that began which is not over yet, -1 while nothing is in the gate."""
        return self._edges[0][2] if self._edges else -1

    def set(self, name: str, value: int) -> None:
        """Change one of the settings, or raise ValueError when it cannot be so."""
        low, high = LIMITS[name]
        if not low <= value <= high:
            raise ValueError("beyond its limits: " + name)
        self.settings[name] = value

    def sift(self) -> list[tuple[str, object]]:
        """Return what a dump tells: the settings of the filters, and what they swallowed."""
        pairs: list[tuple[str, object]] = [(name, self.settings[name]) for name in ("filter", "stuck", "pair")]
        # Named one by one: a board's dictionaries keep no order, and a line should be the same on each.
        pairs.extend([(name, min(self.swallowed[name], MOST_COUNTED)) for name in ("blink", "bounce", "same", "cut")])
        return pairs

    def edge(self, beam: str, on: bool, at_us: int) -> Passage | None:
        """Take one edge of *beam* and return what it completes; an edge that changes nothing is counted, no more."""
        if self.on[beam] == on:
            self.swallowed["same"] += 1
            return None
        self.on[beam] = on
        self._moved_us = at_us
        self._keep(beam, on, at_us)
        step = (self._state, beam + ("+" if on else "-"))
        if step in BOUNCES:
            self.swallowed["bounce"] += 1
        self._state, verdict = TABLE[step]
        return self._verdict(verdict, at_us) if verdict else None

    def tick(self, now_us: int) -> Passage | None:
        """Return a `stuck` once when a beam has been blocked for too long; what then happens is still told."""
        if self._state == IDLE or self._told_stuck or now_us - self._moved_us < self.settings["stuck"] * 1000:
            return None
        self._told_stuck = True
        return Passage("stuck", list(self._edges))

    def _keep(self, beam: str, on: bool, at_us: int) -> None:
        self._edges.append((beam, on, at_us))
        if len(self._edges) > MOST_EDGES:
            one, other = self._bounce(self._edges[:-3])  # the last three tell a second cube from the first
            if not other:
                one, other, self._danced = 4, 5, True  # the dance in the middle tells least
            self._edges = self._edges[:one] + self._edges[one + 1 : other] + self._edges[other + 1 :]
            self.swallowed["cut"] += 2

    def _bounce(self, edges: list[tuple[str, bool, int]]) -> tuple[int, int]:
        """Return which two edges of a beam follow each other fastest, and faster than any cube moves; (0, 0): none."""
        shortest = self._shortest_us() - 1
        found = (0, 0)
        last: dict[str, int] = {}
        for n in range(len(edges)):
            beam, _, at = edges[n]
            # Of equals the last: the first edge of a bounce is the true one.
            if beam in last and at - edges[last[beam]][2] <= shortest:
                found = (last[beam], n)
                shortest = at - edges[last[beam]][2]
            last[beam] = n
        return found

    def _verdict(self, verdict: str, at_us: int) -> Passage | None:
        if verdict == "blink":
            return self._blink(at_us)
        vague = self._told_stuck or self._danced
        self._told_stuck = self._danced = False
        if verdict == "first":
            return self._first_of_two(vague)
        edges, self._edges = self._edges, []
        if verdict == "out":
            return self._out(edges, vague)
        if len(edges) == 2 and at_us - edges[0][2] < self.settings["filter"]:
            verdict = "glitch"
            self.swallowed["blink"] += 1
        return Passage(verdict, edges)

    def _blink(self, at_us: int) -> Passage | None:
        """B was first, and only for a moment: what has come to A meanwhile is a cube like any other."""
        edges = self._edges
        if len(edges) != 3 or at_us - edges[0][2] >= self.settings["filter"]:
            return None
        self._state, self._edges = "inner", [edges[1]]
        self.swallowed["blink"] += 1
        return Passage("glitch", [edges[0], edges[2]])

    def _first_of_two(self, vague: bool) -> Passage:
        """Complete the first cube's passage, of all edges but the last A+, with which the second cube's begins."""
        edges = self._edges
        self._edges = [edges[-2]]
        return self._out(edges[:-2] + edges[-1:], vague)

    def _shortest_us(self) -> int:
        """What is shorter is no cube; a longer filter would take cubes for bounces, so it goes for lone blinks only."""
        return min(self.settings["filter"], FILTER_US)

    def _solid(self, edges: list[tuple[str, bool, int]]) -> bool:
        """Tell whether something blocked beam A for longer than bounces of both beams at once do."""
        since = 0
        for beam, on, at in edges:
            if beam == "A" and not on and at - since >= self._shortest_us():
                return True
            if beam == "A" and on:
                since = at
        return False

    def _out(self, edges: list[tuple[str, bool, int]], vague: bool) -> Passage:
        if not self._solid(edges):
            self.swallowed["blink"] += 1
            return Passage("glitch", edges)
        length = -1 if vague else self._length(edges)
        return Passage("pair" if length > self.settings["pair"] else "out", edges, length)

    def _length(self, edges: list[tuple[str, bool, int]]) -> int:
        """Estimate the length from the speeds at both ends and the time that each beam was blocked."""
        plain = list(edges)
        one, other = self._bounce(plain)
        while other:
            plain = plain[:one] + plain[one + 1 : other] + plain[other + 1 :]
            one, other = self._bounce(plain)
        if len(plain) != 4:
            return -1
        gap_um, edge_um = self.settings["gap"], self.settings["edge"]
        a_on, b_on, a_off, b_off = [edge[2] for edge in plain]
        entering = max(b_on - a_on, 1)
        leaving = max(b_off - a_off, 1)
        blocked = (a_off - a_on) + (b_off - b_on)
        length = 100 * gap_um * blocked * (entering + leaving) // (4 * entering * leaving * edge_um)
        return length if length <= LONGEST_EDGES else -1
