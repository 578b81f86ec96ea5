"""Switch the computer off. It is requested on a page, and done after the ledger is closed."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Event

from companion.app.exit_codes import BadUse, Failed
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor

SYSTEMS_OWN = ("systemctl", "poweroff")
MODEL = Path("/proc/device-tree/model")
ANSWER_S = 1.0
"""Seconds for sending the last page before the service closes."""
PATIENCE_S = 30.0


def command_for(wanted: str | None, model: Path = MODEL) -> tuple[str, ...]:
    """Return the command that switches this computer off: *wanted*, or the default on a Raspberry Pi.

    It may be empty.
    """
    if wanted is None:
        return SYSTEMS_OWN if _is_a_pi(model) else ()
    try:
        return tuple(shlex.split(wanted))
    except ValueError as fault:
        raise BadUse(f"--power-off: {wanted!r} isn't a command: {fault}") from None


def _is_a_pi(model: Path) -> bool:
    try:
        return model.read_bytes().startswith(b"Raspberry Pi")
    except OSError:
        return False  # most computers do not have this file


@shows("asked")
class PowerOff:
    """A request to switch the computer off.

    `ask` ends the service soon. `carry_out` runs the command after the ledger is closed.
    """

    def __init__(
        self,
        command: Sequence[str],
        soon: Callable[[Callable[[], None]], None] | None = None,
        threads: Supervisor | None = None,
        answer_s: float = ANSWER_S,
    ) -> None:
        """Prepare to switch off with *command*.

        *soon* calls its argument after *answer_s* seconds; the default does so in one of *threads*.
        """
        self._command = tuple(command)
        self._soon = soon or partial(_soon, threads or Supervisor(), answer_s)
        self.asked = False

    @property
    def possible(self) -> bool:
        """Whether there is a command that switches the computer off."""
        return bool(self._command)

    def ask(self, stop: Callable[[], None]) -> None:
        """End the service by calling *stop* after a moment, so that the page about it still reaches the browser."""
        if not self.asked:
            self.asked = True
            self._soon(stop)

    def carry_out(self) -> None:
        """Switch off if this was requested.

        Call this when everything is closed. Raises `Failed` if the command fails.
        """
        if not self.asked:
            return
        try:
            done = subprocess.run(self._command, capture_output=True, text=True, timeout=PATIENCE_S)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as fault:
            raise Failed(f"this computer couldn't be switched off: {fault}") from None
        if done.returncode:
            raise Failed(f"this computer couldn't be switched off: {done.stderr.strip() or self._command[0]}")


def _soon(threads: Supervisor, answer_s: float, do: Callable[[], None]) -> None:
    def wait_and_do() -> None:
        Event().wait(answer_s)
        do()

    threads.start("power off", wait_and_do)
