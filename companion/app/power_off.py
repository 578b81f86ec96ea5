"""Switches the computer off at the end of an evening: asked for at the table, done when the ledger is closed."""

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
"""How long the page that says good night has to leave the house before the door is closed."""
PATIENCE_S = 30.0


def command_for(wanted: str | None, model: Path = MODEL) -> tuple[str, ...]:
    """Return the command that switches this computer off: the one *wanted*, a Raspberry Pi's own, or none."""
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
        return False  # most computers have no such file


@shows("asked")
class PowerOff:
    """One wish to switch off: it ends the service soon, and is carried out by whoever closed the ledger."""

    def __init__(
        self,
        command: Sequence[str],
        soon: Callable[[Callable[[], None]], None] | None = None,
        threads: Supervisor | None = None,
        answer_s: float = ANSWER_S,
    ) -> None:
        """Switch off by *command*; *soon* calls what it is given *answer_s* later, in one of *threads* without it."""
        self._command = tuple(command)
        self._soon = soon or partial(_soon, threads or Supervisor(), answer_s)
        self.asked = False

    @property
    def possible(self) -> bool:
        """Whether there is a way to switch off at all."""
        return bool(self._command)

    def ask(self, stop: Callable[[], None]) -> None:
        """Have the service end by *stop*, a moment from now, so that the page which says so still arrives."""
        if not self.asked:
            self.asked = True
            self._soon(stop)

    def carry_out(self) -> None:
        """Switch off if that was asked for; call it when everything is closed. Raises `Failed` where it cannot."""
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
