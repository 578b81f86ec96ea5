"""Slow pages and files are rendered once, in another process, one at a time, without blocking a thread."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from companion.kernel.errors import Refused
from web.server.fair_turns import Crowded, Rank
from web.server.making import LEASE_S, MOST_WANTED, Job, Made, ResultCache, Work, Workshop

PATIENCE_S = 60.0
T = TypeVar("T")
OTHER_END = """
import os, sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
for name in ("companion.session", "web", "web.server"):  # their faces would import the whole program
    package = ModuleSpec(name, None, is_package=True)
    package.submodule_search_locations.append(os.path.join(os.environ["PYTHONPATH"], *name.split(".")))
    sys.modules[name] = module_from_spec(package)
from web.server.making import Made, framed, read_frame
said = lambda *told: os.write(1, framed(*told))
waiting, dropped = [], set()
def make(number, work):
    if work.address == "/dies":
        os._exit(3)
    if work.address == "/nonsense":
        os.write(1, framed("made", -1, None))
    if work.address.startswith("/long"):
        said("at", number, 1, 2)
        while True:  # until something comes between two steps
            kind, other, *more = read_frame(0)
            if kind == "drop":
                return said("made", other, None)
            make(other, *more)
            break
    said("made", number, Made(body=work.address.encode()))
while (frame := read_frame(0)) is not None:
    make(*frame[1:])
"""
"""The process at the other end of the pipe, which renders nothing."""


class Clock:
    """A clock that only advances when the test sets it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def told(story: Callable[[Workshop, Clock], Awaitable[T]], **more: Any) -> T:
    """Return the result of *story* with a workshop, which is closed afterwards."""

    async def whole() -> T:
        clock = Clock()
        workshop = Workshop([sys.executable, "-c", OTHER_END], {"PYTHONPATH": ROOT, "PATH": ""}, clock, **more)
        workshop.open()
        async with asyncio.timeout(PATIENCE_S):
            found = await story(workshop, clock)
            await workshop.close()
        assert workshop.process is None
        return found

    return asyncio.run(whole())


ROOT = str(Path(__file__).parents[3])


async def body(job: Job) -> str:
    return (await job.future).body.decode()


def test_a_work_is_made_once_for_all_who_want_it() -> None:
    """Making: eight requests for one file are one job; later requests are answered from the cache."""

    async def story(workshop: Workshop, clock: Clock) -> tuple[object, ...]:
        jobs = [workshop.want(Work("/file", "en"), "phone", Rank.OWN) for _ in range(8)]
        made = await jobs[0].future
        return {id(job) for job in jobs} == {id(jobs[0])}, made, workshop.find(Work("/file", "en"))

    once, made, found = told(story)

    assert once
    assert found == made == Made(body=b"/file")


def test_whatever_decides_a_work_is_asked_for() -> None:
    """Jobs that differ in row, name, language or viewer never share a result."""
    known, shelf = Work("/after", "en", games=(("1", 7),)), ResultCache()
    shelf.put(known, Made(body=b"x"), 1)
    others = (
        Work("/after", "de", games=(("1", 7),)),
        Work("/after", "en", games=(("1", 8),)),
        Work("/after", "en", games=(("1", 7),), names=1),
        Work("/after", "en", games=(("1", 7),), host=True),
        Work("/after", "en", games=(("1", 7),), seat="red"),
        Work("/after", "en", games=(("1", 7),), given=(("luck", b"y"),)),
    )

    assert shelf.find(known) == Made(body=b"x")
    assert [shelf.find(other) for other in others] == [None] * len(others)


def test_a_shelf_has_its_weight() -> None:
    """Making: the cache evicts the least recently used entry, and never stores one that is larger than its limit."""
    shelf, works = ResultCache(most_bytes=10), [Work(f"/{n}", "en") for n in range(4)]
    for work in works[:2]:
        shelf.put(work, Made(), 4)
    shelf.find(works[0])
    shelf.put(works[2], Made(), 4)
    shelf.put(works[3], Made(), 11)

    assert [shelf.find(work) is not None for work in works] == [True, False, True, False]
    assert shelf.bytes == 8


def test_clients_take_turns_and_those_who_play_go_first() -> None:
    """Making: jobs of players come first; a visitor's second job comes after another visitor's first."""

    async def story(workshop: Workshop, clock: Clock) -> list[str]:
        order: list[str] = []
        wanted = [("a", "/1"), ("a", "/2"), ("b", "/3"), ("seat", "/4")]
        for client, address in wanted:
            rank = Rank.OWN if client == "seat" else Rank.OTHERS
            workshop.want(Work(address, "en"), client, rank).future.add_done_callback(
                lambda done: order.append(done.result().body.decode())
            )
        await workshop.want(Work("/5", "en"), "c").future
        while len(order) < len(wanted):
            await asyncio.sleep(0)  # one iteration of the loop, until the other process has answered
        return order

    assert told(story) == ["/4", "/1", "/3", "/2"]


def test_a_client_has_room_for_so_many() -> None:
    """Jobs beyond what a browser requests at once are refused, but not those of other clients."""

    async def story(workshop: Workshop, clock: Clock) -> str:
        for n in range(MOST_WANTED):
            workshop.want(Work(f"/{n}", "en"), "a")
        with pytest.raises(Crowded):
            workshop.want(Work("/more", "en"), "a")
        return await body(workshop.want(Work("/other", "en"), "b"))

    assert told(story) == "/other"


def test_a_quick_work_is_made_in_the_midst_of_a_long_one() -> None:
    """Making: a step of a replay doesn't wait for another client's file."""

    async def story(workshop: Workshop, clock: Clock) -> list[str]:
        long = workshop.want(Work("/long", "en"), "a")
        quick = workshop.want(Work("/step", "en", quick=True), "b")
        first = await body(quick)
        return [first, await body(long)]

    assert told(story) == ["/step", "/long"]


def test_what_everybody_has_left_is_dropped_after_a_while() -> None:
    """Making: a long job is stopped once no client waits for it; a client that only reloads finds it still running."""

    async def story(workshop: Workshop, clock: Clock) -> tuple[bool, bool, str]:
        job, waits = workshop.want(Work("/long", "en"), "a"), workshop.want(Work("/next", "en"), "b")
        never = workshop.want(Work("/never", "en"), "c")
        for each in (job, never):
            workshop.leave(each)
        reloaded = workshop.want(Work("/long", "en"), "a") is job
        workshop.leave(job)
        clock.now += LEASE_S
        return reloaded, (await asyncio.wait((job.future, never.future)))[1] == set(), await body(waits)

    assert told(story) == (True, True, "/next")


@pytest.mark.parametrize("address", ["/dies", "/nonsense"])
def test_a_process_that_dies_is_followed_by_another(address: str, caplog: pytest.LogCaptureFixture) -> None:
    """Making: if the process dies, waiting clients get a sentence, and the next job is done."""

    async def story(workshop: Workshop, clock: Clock) -> tuple[Made, str]:
        fallen = await workshop.want(Work(address, "en"), "a").future
        return fallen, await body(workshop.want(Work("/next", "en"), "a"))

    fallen, after = told(story)

    assert isinstance(fallen.fault, Refused)
    assert after == "/next"


def test_a_work_that_never_ends_is_ended() -> None:
    """Making: a job that takes too long is cancelled, its process is ended, and the client gets a sentence."""

    async def story(workshop: Workshop, clock: Clock) -> Made:
        return await workshop.want(Work("/long", "en"), "a").future

    assert isinstance(told(story, longest_s=0.0).fault, Refused)


def test_an_idle_process_ends() -> None:
    """Making: an idle process is ended to free its memory, and the next job starts another one."""

    async def story(workshop: Workshop, clock: Clock) -> tuple[bool, str]:
        await workshop.want(Work("/first", "en"), "a").future
        before = workshop.process
        assert before is not None
        await before.wait()
        return before.returncode is not None, await body(workshop.want(Work("/second", "en"), "a"))

    assert told(story, idle_s=0.0) == (True, "/second")
