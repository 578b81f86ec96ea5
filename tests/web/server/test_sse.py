"""Event streams: every client gets the newest version, and no client waits for another."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Thread
from typing import Any

import pytest

from companion.model.snapshot import Notice, Snapshot
from companion.ports.ring import RingState, RingView
from tests.web.asgi_visitor import Visitor
from web.server.sse import PATIENCE_BEATS, SseStreams

LONG_S = 3600.0


def evening(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(story)


def opened(heartbeat_s: float = LONG_S, **more: Any) -> SseStreams:
    streams = SseStreams(more.pop("snapshot", Snapshot(version=7)), heartbeat_s, **more)
    streams.start()
    return streams


def test_a_new_stream_hears_the_newest_version_at_once() -> None:
    """Stream: the first event has the heartbeat interval; the next has the newest version, with its number as id."""

    async def story() -> None:
        streams, visitor = opened(), Visitor()
        task = visitor.come(streams)
        heard = await visitor.hears("event: table")
        visitor.leave()
        await task

        assert heard.startswith("retry: 1000\nevent: hello\ndata: " + '{"heartbeat_s":3600.0,"version":7,"house":"')
        assert 'id: 7\nevent: table\ndata: {"version":7,"kept":true}\n\n' in heard

    evening(story())


@pytest.mark.parametrize(("last", "again"), [("7", False), ("6", True), ("", True), ("x", True), ("9" * 40, True)])
def test_a_stream_resumes_where_it_was_left(last: str, again: bool) -> None:
    """Stream: a client with the newest version in Last-Event-ID doesn't get it again, but any other client does."""

    async def story() -> None:
        streams, visitor = opened(), Visitor(headers={"last-event-id": last} if last else {})
        task = visitor.come(streams)
        await visitor.hears("event: ring")
        visitor.leave()
        await task

        assert ("event: table" in visitor.text) == again

    evening(story())


def test_the_first_message_says_whether_the_ledger_can_be_written() -> None:
    """A page that returns with the newest version learns that the ledger can be written again."""

    async def story() -> None:
        streams, visitor = opened(), Visitor(headers={"last-event-id": "7"})
        task = visitor.come(streams)
        await visitor.hears("event: ring")
        visitor.leave()
        await task

        assert '"kept":true' in visitor.text.partition("event: ring")[0]

    evening(story())


def test_every_stream_hears_a_new_version() -> None:
    """Stream: a commit published from the table's thread reaches every client."""

    async def story() -> None:
        streams, visitors = opened(), [Visitor() for _ in range(4)]
        tasks = [visitor.come(streams) for visitor in visitors]
        await asyncio.gather(*(visitor.hears('"version":7') for visitor in visitors))

        teller = Thread(target=streams.publish, args=(Snapshot(version=8),))
        teller.start()
        await asyncio.gather(*(visitor.hears("id: 8\n") for visitor in visitors))
        teller.join()

        streams.close()
        await asyncio.gather(*tasks)

    evening(story())


def test_a_slow_listener_hears_only_the_newest() -> None:
    """Stream: while a client is busy, newer versions replace older ones."""

    async def story() -> None:
        streams, visitor = opened(), Visitor()
        task = visitor.come(streams)
        await visitor.hears("id: 7\n")
        visitor.taking.clear()
        for version in range(8, 200):
            streams.publish(Snapshot(version=version))
        visitor.taking.set()
        heard = await visitor.hears("id: 199\n")
        visitor.leave()
        await task

        assert heard.count("event: table") == 2

    evening(story())


def test_a_listener_that_takes_nothing_holds_nobody_up_and_is_dropped() -> None:
    """Stream: a client that doesn't read delays no other, and is dropped after a few heartbeats."""

    async def story() -> None:
        streams, dead, alive = opened(heartbeat_s=0.01), Visitor(), Visitor()
        tasks = [dead.come(streams), alive.come(streams)]
        await asyncio.gather(dead.hears("id: 7\n"), alive.hears("id: 7\n"))
        dead.taking.clear()
        for version in range(8, 40):
            streams.publish(Snapshot(version=version))
            await alive.hears(f"id: {version}\n")
        async with asyncio.timeout(5):
            await tasks[0]

        assert streams.open_count == 1
        assert alive.text.count("event: beat") <= 40 * PATIENCE_BEATS
        streams.close()
        await tasks[1]

    evening(story())


def test_silence_is_filled_with_beats() -> None:
    """Stream: heartbeats are sent when there is nothing else, so that a page knows its connection works."""

    async def story() -> None:
        streams, visitor = opened(heartbeat_s=0.01), Visitor()
        task = visitor.come(streams)
        await visitor.hears("event: beat\ndata: {}\n\nevent: beat")
        visitor.leave()
        await task

        assert streams.open_count == 0

    evening(story())


def test_the_ring_travels_without_a_number() -> None:
    """Stream: events of the ring have no id, and counters that change with every line cause no event."""

    async def story() -> None:
        streams, visitor = opened(now=lambda: 100.0), Visitor()
        task = visitor.come(streams)
        await visitor.hears("id: 7\n")
        streams.publish_ring(RingView(RingState.LIVE, last_passage_at=88.0))
        heard = await visitor.hears('"state":"live"')
        streams.publish_ring(RingView(RingState.LIVE, last_passage_at=88.0, lines_in=5, round_trip_ms=2.0))
        streams.publish_ring(RingView(RingState.SILENT, last_passage_at=88.0))
        heard = await visitor.hears('"state":"silent"')
        visitor.leave()
        await task

        assert heard.count("event: ring") == 3
        assert heard.count("id: ") == 1
        assert '"last_passage_age_s":12.0' in heard

    evening(story())


def test_what_the_ring_measures_is_news() -> None:
    """When the ring's instrument has a new reading, every stream gets the reading's number."""

    async def story() -> None:
        streams, visitor = opened(), Visitor()
        task = visitor.come(streams)
        await visitor.hears('"news":0}')
        streams.publish_ring(RingView(RingState.LIVE, news=3))
        streams.publish_ring(RingView(RingState.LIVE, news=4, lines_in=9))
        heard = await visitor.hears('"news":4}')
        visitor.leave()
        await task

        assert heard.count("event: ring") >= 2
        assert "id:" not in heard.rpartition("event: ring")[2]

    evening(story())


@pytest.mark.parametrize(
    "shown",
    [
        RingView(RingState.SILENT),
        RingView(RingState.LIVE, simulated=True),
        RingView(RingState.LIVE, armed=3),
        RingView(RingState.LIVE, gate_open=True),
        RingView(RingState.LIVE, lifted=True),
        RingView(RingState.LIVE, last_passage_at=1.0),
        RingView(RingState.LIVE, trouble="The ring was lifted."),
    ],
)
def test_whatever_a_page_shows_of_the_ring_is_news(shown: RingView) -> None:
    """Each change of the ring that the page shows is sent immediately; a change of a mere counter is not."""

    async def story() -> None:
        streams, visitor = opened(), Visitor()
        task = visitor.come(streams)
        streams.publish_ring(RingView(RingState.LIVE))
        await visitor.hears('"state":"live"')
        number = visitor.text.count("event: ring")
        streams.publish_ring(RingView(RingState.LIVE, lines_in=9))
        streams.publish_ring(shown)
        streams.publish(Snapshot(version=8))
        await visitor.hears("id: 8\n")
        visitor.leave()
        await task

        assert visitor.text.count("event: ring") == number + 1

    evening(story())


def test_a_dead_storage_is_news_without_a_new_version() -> None:
    """Stream: if the ledger can't store rows any more, every page gets an event at once."""

    async def story() -> None:
        streams, visitor = opened(), Visitor(headers={"last-event-id": "7"})
        task = visitor.come(streams)
        await visitor.hears("event: ring")
        streams.publish(Snapshot(version=7, storage="The card takes nothing."))
        await visitor.hears('{"version":7,"kept":false}')
        visitor.leave()
        await task

    evening(story())


def test_what_is_not_done_now_is_news_without_a_new_version() -> None:
    """Stream: if a thread stops or restarts, every page gets an event at once."""
    stopped = Snapshot(version=7, notices=(Notice(0, "unattended", "The console stopped."),))

    async def story() -> None:
        streams, visitor = opened(), Visitor(headers={"last-event-id": "7"})
        task = visitor.come(streams)
        await visitor.hears("event: ring")
        streams.publish(stopped)
        await visitor.hears('{"version":7,"kept":true,"unattended":"The console stopped."}')
        streams.publish(Snapshot(version=7))
        await visitor.hears('{"version":7,"kept":true}')
        visitor.leave()
        await task

    evening(story())


def test_a_stream_whose_connection_fails_is_closed() -> None:
    """Stream: if waiting for the end of a connection fails, the stream is removed."""

    async def story() -> None:
        streams, visitor = opened(), Visitor()
        task = visitor.come(streams)
        await visitor.hears("event: ring")
        assert streams.open_count == 1
        visitor.fail()
        await task
        assert streams.open_count == 0

    evening(story())


def test_there_is_room_for_those_who_play() -> None:
    """Stream: even if visitors hold every stream, one each, a device of the table gets one and keeps it."""

    async def story() -> None:
        streams, strangers = opened(most=3), [Visitor(address=f"10.0.0.{number}") for number in range(3)]
        tasks = [visitor.come(streams) for visitor in strangers]
        for visitor in strangers:
            await visitor.hears("id: 7\n")
        table = [Visitor(address="10.0.1.1") for _ in range(3)]
        for visitor in table:
            tasks.append(asyncio.create_task(streams(visitor.scope(), visitor._receive, visitor._send, own=True)))
            await visitor.hears("id: 7\n")
        late = Visitor(address="10.0.1.1")
        await late.come(streams)

        assert late.status == 503
        assert streams.open_count == 3
        assert [task.done() for task in tasks[3:]] == [False] * 3
        streams.close()
        await asyncio.gather(*tasks)

    evening(story())


def test_a_full_house_lets_the_greediest_go_first() -> None:
    """Stream: above the limit, the address with the most streams loses its oldest; a client with one keeps it."""

    async def story() -> None:
        streams = opened(most=3)
        many, other, late = [Visitor(address="10.0.0.1") for _ in range(2)], Visitor(), Visitor(address="10.0.0.3")
        tasks = []
        for visitor in (*many, other, late):
            tasks.append(visitor.come(streams))
            await visitor.hears("id: 7\n")
        await tasks[0]
        turned_away = Visitor(address="10.0.0.4")
        await turned_away.come(streams)

        assert streams.open_count == 3
        assert turned_away.status == 503
        streams.close()
        await asyncio.gather(*tasks)

    evening(story())


def test_the_end_of_the_house_ends_every_stream() -> None:
    """Stream: closing ends open streams cleanly, and refuses later ones."""

    async def story() -> None:
        streams, visitor, late = opened(), Visitor(), Visitor()
        task = visitor.come(streams)
        await visitor.hears("id: 7\n")
        streams.close()
        await task
        await late.come(streams)

        assert visitor.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}
        assert late.status == 503

    evening(story())


def test_a_stream_is_only_read() -> None:
    """Stream: any method but GET is refused."""

    async def story() -> None:
        visitor = Visitor(method="POST")
        await visitor.come(opened())

        assert visitor.status == 405

    evening(story())


def test_news_before_and_after_the_house_is_open_hurt_nobody() -> None:
    """Stream: the table may publish before, during and after the server runs."""

    async def story() -> None:
        streams.start()
        streams.close()

    streams = SseStreams()
    streams.publish(Snapshot(version=3))
    evening(story())
    streams.publish(Snapshot(version=4))
    streams.publish_ring(RingView(RingState.SEARCHING))

    assert streams.open_count == 0
