"""Speak the table's sentences on this machine's loudspeaker, with espeak-ng if it is installed."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from companion.kernel.languages import LANGUAGES, SPOKEN
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.kernel.supervisor import Backoff, RestartPause, Supervisor
from companion.model.countdown import Countdown
from companion.model.speech import Verbosity, Whose, chosen
from companion.session.table import Table
from companion.speech import SpeechQueue, clock_says, narrated
from companion.speech.last_seconds import FIRST_S, seconds_left
from web.http.i18n import said_in

PROGRAM = "espeak-ng"
SENTENCE_S = 20.0
"""A program that speaks longer than this many seconds is terminated. No sentence takes that long."""
PAUSE_S = 0.05
Wrong = Callable[[], bool]
"""A function that returns whether a correction has made the sentence being spoken wrong."""
Speak = Callable[[str, Wrong], bool]
"""A function that speaks a sentence to its end, or until it is wrong. It returns False if it cannot speak."""


@shows("_second")
class Speaker:
    """The queue of the table's sentences, and the thread that speaks them."""

    def __init__(
        self,
        table: Table,
        language: str,
        words: Verbosity,
        speak: Speak,
        now: Callable[[], float],
        over: RestartPause | None = None,
    ) -> None:
        """Speak the sentences of *table* up to the verbosity *words*, by calling *speak*.

        After a failure the thread waits on *over*, which is set at the end.
        """
        self._table, self._language, self._words = table, language, words
        self._speak, self._now = speak, now
        self._known = table.snapshot.version
        self._second: tuple[str, int | None] | None = None
        self._queue = SpeechQueue()
        self._woken = threading.Event()
        self._over = over or threading.Event()
        self._backoff, self._spoke_at = Backoff(), now()
        # The callback must not block, so it only sets an event. The sentences are made in the thread that speaks.
        self._unsubscribe = table.subscribe(lambda snapshot: self._woken.set())

    def turn(self) -> bool:
        """Queue new sentences and speak one of them; return False if it could not be spoken."""
        self._woken.clear()  # cleared first, so that a later event causes another turn
        self._take_in()
        one, rest = self._queue.next(self._now())
        if one is None:
            self._queue = rest
            return True
        self._woken.set()  # there may be more sentences
        could = self._speak(said_in(one.text, self._language), self._wrong)
        self._queue = rest  # after an error the sentence is spoken again, unless it is too old by then
        return could

    def due_s(self) -> float | None:
        """Return the seconds until the clock may need a sentence, or None if another event must happen first."""
        timing = self._timing()
        if timing is None or seconds_left(timing) in (None, 0):
            return None
        if timing.count or timing.left_ms <= 1000 * FIRST_S:
            return _to_the_next(timing)
        return max(PAUSE_S, timing.left_ms / 1000 - FIRST_S)

    def run(self) -> None:
        """Speak until `end`. After a failure, retry after a growing pause."""
        while not self._over.is_set():
            if self.turn():
                self._woken.wait(self.due_s())
            else:
                self._over.wait(self._backoff.after(self._now() - self._spoke_at))
                self._spoke_at = self._now()

    def end(self) -> None:
        """Stop speaking."""
        self._unsubscribe()
        self._over.set()
        self._woken.set()

    def _wrong(self) -> bool:
        if self._over.is_set() or self._table.snapshot.version == self._known:
            return self._over.is_set()
        return any(one.at_once for each in self._table.happened(self._known) for one in narrated(each))

    def _take_in(self) -> None:
        for happening in self._table.happened(self._known):
            self._known = happening.version
            self._queue = self._queue.add(chosen(narrated(happening), self._words, Whose.ALL), self._now())
        timing = self._timing()
        second = None if timing is None else (timing.step, seconds_left(timing))
        if timing is not None and second != self._second and seconds_left(timing) is not None:
            # If a clock is seen for the first time in its last seconds, these are not announced. The countdown 3-2-1
            # always is.
            follows = self._second is not None and self._second[1] is not None
            spoken = clock_says(timing) if follows or timing.count else None
            self._queue = self._queue.add(chosen(filter(None, (spoken,)), self._words, Whose.ALL), self._now())
        self._second = second

    def _timing(self) -> Countdown | None:
        snapshot = self._table.snapshot
        if snapshot.timing is None:
            return None
        return snapshot.timing.at(max(0, round((self._now() - snapshot.as_of) * 1000)))


def _to_the_next(timing: Countdown) -> float:
    left_ms = timing.lead_ms or timing.left_ms
    return max(PAUSE_S, (left_ms % 1000 or 1000) / 1000)


def speaking(
    table: Table,
    program: str | None,
    language: str,
    words: Verbosity,
    now: Callable[[], float],
    without: Callable[[str], None],
    threads: Supervisor,
) -> Callable[[], None]:
    """Start speaking with *program*, and return a function that ends it.

    *without* is called with the reason if this machine cannot speak.
    """
    if language not in SPOKEN:
        without(f"--speaker: one of {', '.join(SPOKEN)}, not {language!r}. The table doesn't speak.")
        return lambda: None
    if program is None:
        without(f"--speaker: {PROGRAM} is not installed (apt install {PROGRAM}). The table doesn't speak.")
        return lambda: None
    speaker = Speaker(table, language, words, partial(spoken, program, LANGUAGES[language].voice, once(without)), now)
    thread = threads.start("speaker", speaker.run, said("The loudspeaker"))

    def end() -> None:
        speaker.end()
        thread.end()

    return end


def once(say: Callable[[str], None]) -> Callable[[str], None]:
    """Return a function that calls *say*, but ignores a sentence that equals the last one."""
    before = [""]

    def say_once(sentence: str) -> None:
        if sentence != before[0]:
            say(sentence)
        before[0] = sentence

    return say_once


def spoken(program: str, voice: str, without: Callable[[str], None], text: str, wrong: Wrong) -> bool:
    """Speak *text* with *voice* to its end, or until it is *wrong*.

    Return False if that fails, and report each reason once.
    """
    # Pass the text through standard input, so that a player's name is never read as an option.
    try:
        process = subprocess.Popen(  # noqa: S603  # the path is what `which` has found
            [program, "-v", voice, "--stdin"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    except OSError as fault:
        without(f"--speaker: {PROGRAM} can't be started: {fault.strerror}. The table is silent until it can.")
        return False
    with process:
        assert process.stdin is not None and process.stderr is not None, "both were asked for"
        with suppress(BrokenPipeError):  # the process has already ended, and its status says why
            process.stdin.write(f"{text}\n".encode())
            process.stdin.close()
        _until(process, wrong)
        if process.returncode > 0:
            why = process.stderr.read(200).decode(errors="replace").strip().partition("\n")[0]
            without(f"--speaker: {PROGRAM} can't speak: {why or process.returncode}. The table is silent until it can.")
        return process.returncode <= 0


def _until(process: subprocess.Popen[bytes], wrong: Wrong) -> None:
    """Wait until *process* ends; terminate it if the sentence is *wrong* or takes too long."""
    for _ in range(int(SENTENCE_S / PAUSE_S)):
        try:
            process.wait(PAUSE_S)
            return
        except subprocess.TimeoutExpired:
            if wrong():
                break
    process.terminate()
    process.wait()
