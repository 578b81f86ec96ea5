"""Recognises passages from the edges of two beams: out, back, poke, pair, glitch or stuck.

Theory of operation: beam A is the inner one, B the outer one. `A+` means that beam A becomes blocked, and `A-` means
that it becomes free. `TABLE` is the whole state machine: it maps a state and an edge to the next state. If a passage
ends there, it also gives the verdict. Only the beams count cubes; colours are not used here.
"""

STUCK_MS = 2_500
FILTER_US = 1_000  # no cube is faster: an 8 mm cube at 2 m/s blocks a beam for 4 ms
TWO_CUBES_FROM_EDGES = 165  # hundredths of a cube's edge
LONGEST_EDGES = 350  # a longer estimate means that a cube stopped in the gate, which makes the estimate useless
MOST_EDGES = 16  # stored per passage; a cube that trembles in a beam causes more
MOST_COUNTED = 99_999_999  # the highest count that fits in a line
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
    # A second cube is at A while the first is still at B. When B becomes free, the first cube is out: it has already
    # passed A, so it cannot have gone back in. How long the second cube rests at A does not matter.
    ("followed", "A-"): ("outer", ""),
    ("followed", "B-"): ("inner", "first"),
    ("outside", "B-"): ("idle", "glitch"),
    ("outside", "A+"): ("inward", ""),
    ("inward", "A-"): ("outside", ""),
    ("inward", "B-"): ("leaving", "blink"),
    ("leaving", "A-"): ("idle", "glitch"),
    ("leaving", "B+"): ("inward", ""),
}
# Each edge, and the edge that undoes it.
BOUNCES = (("returning", "B+"), ("followed", "A-"), ("inward", "A-"), ("leaving", "B+"))


class Passage:
    """One passage, or another thing that happened at the gate (see `kind`).

    *kind* is its verdict. *edges* are its edges (beam, on, microseconds). *length* is the estimated
    length in hundredths of a cube's edge, -1 if unknown.
    """

    def __init__(self, kind: str, edges: list[tuple[str, bool, int]], length: int = -1) -> None:
        self.kind = kind
        self.edges = edges
        self.length = length


class Recogniser:
    """Recognises passages from the edges of both beams. `on` holds which beams are blocked.

    `set` changes the *settings* at any time: `edge` (a cube's edge, micrometres), `gap` (the
    distance of the beams, micrometres), `filter` (a shorter blink of a beam is a glitch,
    microseconds), `stuck` (time without an edge, milliseconds) and `pair` (anything longer is two
    cubes, hundredths of an edge). There is no dead time after a passage, because it could hide a
    cube. `filtered` counts the edges and blinks that were filtered out and so are not part of any passage.
    """

    def __init__(self, edge_um: int = 8_000, gap_um: int = 4_000) -> None:
        self.settings = {
            "edge": edge_um,
            "gap": gap_um,
            "filter": FILTER_US,
            "stuck": STUCK_MS,
            "pair": TWO_CUBES_FROM_EDGES,
        }
        self.filtered = {"blink": 0, "bounce": 0, "same": 0, "cut": 0}
        self._state = IDLE
        self.on = {"A": False, "B": False}
        self._edges: list[tuple[str, bool, int]] = []
        self._moved_us = 0  # the time of the last edge of either beam, possibly in the passage before
        self._reported_stuck = False
        self._danced = False  # some edges of this passage were dropped because there were too many

    @property
    def since_us(self) -> int:
        """The time when the present passage began, or -1 while nothing is in the gate."""
        return self._edges[0][2] if self._edges else -1

    def set(self, name: str, value: int) -> None:
        """Change one of the settings. Raise ValueError if the value is out of range."""
        low, high = LIMITS[name]
        if not low <= value <= high:
            raise ValueError("beyond its limits: " + name)
        self.settings[name] = value

    def filter_fields(self) -> list[tuple[str, object]]:
        """Return the fields of a `sift` line: the filter settings and the counts in `filtered`."""
        pairs: list[tuple[str, object]] = [(name, self.settings[name]) for name in ("filter", "stuck", "pair")]
        # Listed one by one, because dictionaries on a board are not ordered, and the order of the fields should always
        # be the same.
        pairs.extend([(name, min(self.filtered[name], MOST_COUNTED)) for name in ("blink", "bounce", "same", "cut")])
        return pairs

    def edge(self, beam: str, on: bool, at_us: int) -> Passage | None:
        """Add one edge of *beam*. Return the passage that it completes, or None.

        An edge that repeats the level is only counted.
        """
        if self.on[beam] == on:
            self.filtered["same"] += 1
            return None
        self.on[beam] = on
        self._moved_us = at_us
        self._keep(beam, on, at_us)
        step = (self._state, beam + ("+" if on else "-"))
        if step in BOUNCES:
            self.filtered["bounce"] += 1
        self._state, verdict = TABLE[step]
        return self._verdict(verdict, at_us) if verdict else None

    def tick(self, now_us: int) -> Passage | None:
        """Return a `stuck` passage (only once) if a beam has been blocked for too long. The passage then continues."""
        if self._state == IDLE or self._reported_stuck or now_us - self._moved_us < self.settings["stuck"] * 1000:
            return None
        self._reported_stuck = True
        return Passage("stuck", list(self._edges))

    def _keep(self, beam: str, on: bool, at_us: int) -> None:
        self._edges.append((beam, on, at_us))
        if len(self._edges) > MOST_EDGES:
            one, other = self._bounce(self._edges[:-3])  # the last three edges tell a second cube from the first
            if not other:
                one, other, self._danced = 4, 5, True  # the edges in the middle of trembling matter least
            self._edges = self._edges[:one] + self._edges[one + 1 : other] + self._edges[other + 1 :]
            self.filtered["cut"] += 2

    def _bounce(self, edges: list[tuple[str, bool, int]]) -> tuple[int, int]:
        """Return the indices of the fastest bounce: two edges of one beam, too close together for a cube.

        Return (0, 0) if there is none.
        """
        shortest = self._shortest_us() - 1
        found = (0, 0)
        last: dict[str, int] = {}
        for n in range(len(edges)):
            beam, _, at = edges[n]
            # If two bounces are equally fast, choose the later one: the first edge of a bounce is the real one.
            if beam in last and at - edges[last[beam]][2] <= shortest:
                found = (last[beam], n)
                shortest = at - edges[last[beam]][2]
            last[beam] = n
        return found

    def _verdict(self, verdict: str, at_us: int) -> Passage | None:
        if verdict == "blink":
            return self._blink(at_us)
        vague = self._reported_stuck or self._danced
        self._reported_stuck = self._danced = False
        if verdict == "first":
            return self._first_of_two(vague)
        edges, self._edges = self._edges, []
        if verdict == "out":
            return self._out(edges, vague)
        if len(edges) == 2 and at_us - edges[0][2] < self.settings["filter"]:
            verdict = "glitch"
            self.filtered["blink"] += 1
        return Passage(verdict, edges)

    def _blink(self, at_us: int) -> Passage | None:
        """Report a short blink of B alone. If a cube has reached A meanwhile, its passage starts normally."""
        edges = self._edges
        if len(edges) != 3 or at_us - edges[0][2] >= self.settings["filter"]:
            return None
        self._state, self._edges = "inner", [edges[1]]
        self.filtered["blink"] += 1
        return Passage("glitch", [edges[0], edges[2]])

    def _first_of_two(self, vague: bool) -> Passage:
        """Complete the first cube's passage, and start the second cube's passage with the last A+."""
        edges = self._edges
        self._edges = [edges[-2]]
        return self._out(edges[:-2] + edges[-1:], vague)

    def _shortest_us(self) -> int:
        """Return the shortest time for which a cube blocks a beam.

        A `filter` longer than that is not used here, because real cubes would count as bounces.
        """
        return min(self.settings["filter"], FILTER_US)

    def _solid(self, edges: list[tuple[str, bool, int]]) -> bool:
        """Return whether beam A was blocked for so long that it was not just both beams bouncing at once."""
        since = 0
        for beam, on, at in edges:
            if beam == "A" and not on and at - since >= self._shortest_us():
                return True
            if beam == "A" and on:
                since = at
        return False

    def _out(self, edges: list[tuple[str, bool, int]], vague: bool) -> Passage:
        if not self._solid(edges):
            self.filtered["blink"] += 1
            return Passage("glitch", edges)
        length = -1 if vague else self._length(edges)
        return Passage("pair" if length > self.settings["pair"] else "out", edges, length)

    def _length(self, edges: list[tuple[str, bool, int]]) -> int:
        """Estimate the length from the speeds at both ends and the time for which each beam was blocked."""
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
