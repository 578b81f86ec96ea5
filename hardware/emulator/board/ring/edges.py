"""Replaces the PIO: edges of the beams as the simulated gate reports them, each with its time."""

import outside

ROOM = 256  # the most edges that are stored; further ones count as lost


class Edges:
    """The edges of two beams, A on one pin and B on another."""

    def __init__(self, pin_a, pin_b):
        self.lost = 0
        self._edges = []
        outside.ears["a"] = lambda level, at: self._keep("A", level, at)
        outside.ears["b"] = lambda level, at: self._keep("B", level, at)

    def blocked(self):
        """Return whether a beam is blocked now; does not allocate."""
        outside.look()
        return bool(outside.levels["a"] or outside.levels["b"])

    def wait(self):
        """Return whether there are edges that `taken` has not returned yet."""
        return bool(self._edges)

    def level(self, beam):
        """Return whether *beam* is blocked now."""
        outside.look()
        return bool(outside.levels["a" if beam == "A" else "b"])

    def taken(self):
        """Return all edges since the last call, oldest first, as tuples (beam, blocked, counter)."""
        outside.look()
        edges, self._edges = self._edges, []
        return edges

    def _keep(self, beam, level, at):
        if len(self._edges) < ROOM:
            self._edges.append((beam, bool(level), at))
        else:
            self.lost += 1
