"""The ring controller arms the ring: for the game, for a calibration while it runs, then for the game again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from companion.app.ring_controller import RingController
from companion.model.boxes import Copy
from companion.model.snapshot import Who
from companion.ports.calibration import InstrumentView, Line
from companion.ports.ring import Judgement, Order, RingEvent, RingEventKind, RingListener, RingState, RingView
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.companion.toy import HEADER, Toy
from tests.pauses import held

HOST = Who("host", "tablet")
WIZARD = (900_000_001, {"red": 6})
WAIT_S = 10.0


class Measuring:
    """An instrument whose order the test sets, and which records the calibrations offered to it."""

    view = InstrumentView()

    def __init__(self) -> None:
        self.order: tuple[int, Mapping[str, int]] | None = None
        self.offered: list[tuple[Line, ...]] = []
        self._tells: list[Callable[[], None]] = []

    def offer(self, stored: Sequence[Line]) -> None:
        self.offered.append(tuple(stored))

    def subscribe(self, tell: Callable[[], None]) -> Callable[[], None]:
        self._tells.append(tell)
        return lambda: self._tells.remove(tell)

    def want(self, order: tuple[int, Mapping[str, int]] | None) -> None:
        """Set another order, and notify the subscribers."""
        self.order = order
        for tell in self._tells:
            tell()

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"an evening has no business with {name}")


class Port:
    """A ring that records its armings."""

    def __init__(self) -> None:
        self.view = RingView(RingState.LIVE)
        self.instrument = Measuring()
        self.told: list[Order | None] = []
        self.closed = False
        self.breaks = 0
        self._changed = Event()

    def arm(self, order: Order) -> None:
        if self.breaks:
            self.breaks -= 1
            raise OSError("the wire")
        self.told.append(order)
        self._changed.set()

    def armed_for(self, order: Order) -> bool:
        """Wait for the next arming, and return whether it is for *order*."""
        return self._changed.wait(WAIT_S) and self.told[-1] == order

    def disarm(self) -> None:
        self.told.append(None)
        self._changed.set()

    def slide(self, colour: str = "") -> None:
        raise AssertionError("nobody asked for a slide")

    def close(self) -> None:
        self.closed = True

    def want(self, order: tuple[int, Mapping[str, int]] | None) -> Order | None:
        """Set the instrument's order, and return the order for which the ring is then armed."""
        self._changed.clear()
        self.instrument.want(order)
        assert self._changed.wait(WAIT_S), "nothing was armed"
        return self.told[-1]


@pytest.fixture
def port() -> Port:
    return Port()


@pytest.fixture
def evening(tmp_path: Path, port: Port) -> Iterator[RingController]:
    table = Table(LiveGame(open_ledger(tmp_path / "ledger.db"), {"toy": Toy()}, lambda: 1.0, Random(1)))

    def opened(listener: RingListener) -> Port:
        assert listener is table
        return port

    made = RingController(table, opened)
    yield made
    made.close()
    table.close()


def dig(evening: RingController, copy: str = "") -> Order:
    """Begin a game and an attempt; return the order for which the ring must be armed."""
    evening.table.open(HEADER, HOST, copy)
    evening.table.do({"do": "dig", "player": "red", "draws": 3}, HOST)
    order = evening.table.order()
    assert order is not None
    return order


def slide(evening: RingController, seq: int, colour: str | None, token: int, **detail: object) -> None:
    """Report a passage of a cube at the ring."""
    event = RingEvent("ring", "boot", seq, seq, RingEventKind.OUT, token, ("raw",), Judgement(colour), detail)
    evening.table.heard(event)


def test_an_attempt_arms_and_its_end_disarms(evening: RingController, port: Port) -> None:
    """Arming: each attempt arms the ring with the stations under it, and its end disarms it."""
    order = dig(evening)
    evening.table.do({"do": "stop"}, HOST)

    assert port.told == [order, None]


def test_with_a_home_the_ring_is_armed_after_a_pause(evening: RingController, port: Port) -> None:
    """Arming: with a home connection, the ring is armed after a pause, so that the lights can settle."""
    evening.arming_pause_s = 0.01

    assert port.armed_for(dig(evening))


def test_a_ring_that_closes_during_the_pause_is_not_armed(evening: RingController, port: Port) -> None:
    """Arming: the ring is not armed during the pause, and not at all if the controller closes during it."""
    evening.arming_pause_s = 3600.0
    dig(evening)
    assert port.told == []

    evening.close()
    evening._supply_later()  # the worker calls this if the controller closes during its pause
    assert port.told == []


def test_the_first_arming_waits_too(evening: RingController) -> None:
    """Arming: a table that starts in the middle of an attempt also waits for the pause."""
    dig(evening)
    port = Port()

    again = RingController(evening.table, lambda listener: port, arming_pause_s=3600.0)
    told = list(port.told)
    again.close()

    assert told == []


def test_a_calibration_has_the_ring_to_itself(evening: RingController, port: Port) -> None:
    """Arming: during a calibration the ring is armed only for its colours, and afterwards for the game's attempt."""
    assert port.want(WIZARD) == Order(*WIZARD)
    assert port.want((900_000_001, {"blue": 6})) == Order(900_000_001, {"blue": 6})

    order = dig(evening)
    assert port.told[-1] == Order(900_000_001, {"blue": 6})

    assert port.want(None) == order


def test_a_calibration_in_the_middle_of_an_attempt_hurts_no_game(evening: RingController, port: Port) -> None:
    """Passages of a calibration during an attempt are not draws, and the attempt arms the ring again later."""
    order = dig(evening)

    port.want(WIZARD)
    slide(evening, 1, "red", WIZARD[0], calibrating=True)
    assert evening.table.snapshot.state.left == 3
    assert evening.table.snapshot.questions == ()

    assert port.want(None) == order
    slide(evening, 2, "blue", order.token)
    assert evening.table.snapshot.state.left == 2


def test_a_calibration_survives_questions(evening: RingController, port: Port) -> None:
    """Arming: an open question does not stop a calibration from arming the ring for its next colour."""
    order = dig(evening)
    slide(evening, 1, None, order.token)
    assert evening.table.snapshot.questions
    assert port.told == [order]

    assert port.want(WIZARD) == Order(*WIZARD)
    assert port.want((900_000_001, {"blue": 6})) == Order(900_000_001, {"blue": 6})
    back = port.want(None)

    assert back is not None
    assert back.token == order.token


def test_the_instrument_is_offered_what_the_copy_has(evening: RingController, port: Port) -> None:
    """Arming: calibrations are offered only at the start, when one is saved, and when another copy is used."""
    ours, theirs = ({"copy": copy, "made": "1"} for copy in ("ours", "theirs"))
    assert port.instrument.offered == [()]

    for name in ("ours", "theirs"):
        evening.table.save_copy(Copy(name, "toy", None, {"red": "red", "blue": "blue"}), HOST)
    evening.table.save_calibration(ours, HOST)
    evening.table.save_calibration(theirs, HOST)
    assert port.instrument.offered[-1] == (theirs,)

    dig(evening, "ours")
    assert port.instrument.offered[-1] == (ours,)
    count = len(port.instrument.offered)
    slide(evening, 1, "red", 0)
    assert len(port.instrument.offered) == count


def test_an_evening_lets_its_ring_go(evening: RingController, port: Port) -> None:
    """Arming: closing the controller closes the ring, and a second close does no harm."""
    evening.close()
    evening.close()

    assert port.closed


def test_an_arming_that_dies_is_seen_and_done_again(tmp_path: Path, port: Port) -> None:
    """If the arming thread stops with an error, a notice says so, and the ring is armed when the thread restarts."""
    table = Table(LiveGame(open_ledger(tmp_path / "ledger.db"), {"toy": Toy()}, lambda: 1.0, Random(1)))
    seen = Event()
    threads, pause = held()
    evening = RingController(table, lambda listener: port, threads)
    port.breaks = 3  # raised in the subscriber, the worker, and the subscriber when the notice is shown
    table.subscribe(lambda snapshot: seen.set())

    order = dig(evening)
    pause.reached()
    shown = [notice.text for notice in table.snapshot.notices]
    pause.go()

    assert port.armed_for(order)
    assert seen.is_set()
    assert shown == ["Arming the ring stopped (OSError). It starts again in 1 s."]
    assert table.snapshot.unattended == ""
    evening.close()
    table.close()
