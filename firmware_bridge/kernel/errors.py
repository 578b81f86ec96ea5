"""The exceptions of the bridge that callers catch, in addition to the kit's `WireLost`."""

from __future__ import annotations

from companion.kernel.said import Said, said
from rungs.wire import NO_DEVICE, Sentence, WireLost


class InputError(Exception):
    """An address, a world file, a script or another input is invalid. Its message is one sentence that says why."""

    @property
    def reason(self) -> str:
        """The sentence, still translatable."""
        reason: str = self.args[0]
        return reason


def why_lost(lost: WireLost) -> str:
    """Return the sentence of *lost* for the table. It is translatable if it was made from a pattern.

    >>> why_lost(WireLost(Sentence(NO_DEVICE, port="/dev/ttyACM0")))
    'No ring at /dev/ttyACM0: is it plugged in?'
    """
    reason = lost.reason
    if not isinstance(reason, Sentence):
        return reason
    if reason.pattern == NO_DEVICE:
        return said("No ring at %(port)s: is it plugged in?", port=reason.fills["port"])
    return Said(reason.pattern, reason.fills)
