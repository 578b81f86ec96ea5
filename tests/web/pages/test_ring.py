"""The page of the ring: it states what has been observed, and calls everything else unknown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.ports.calibration import Dot, InstrumentView, LastPassage, Near, Wizard, WizardStage
from companion.ports.ring import RingState, RingView
from tests.web.markup import flat
from tests.web.served_house import ServedHouse, ToldRing
from tests.web.told_instrument import PASSAGE, ToldInstrument, calibrated, cloud
from web.charts import colour_plane, passage
from web.charts.colour_plane import LabelBox, placed
from web.pages.ring import checks, gauge, title

EIGHT = ("red", "yellow", "green", "blue", "black", "orange", "purple", "wood")
LIVE = RingView(RingState.LIVE, "/dev/ttyACM0", "ring-7", "1.4.0", 1, gate_open=False, lifted=False)
SEEN = replace(LIVE, last_passage_at=0.0)


@pytest.fixture
def bench() -> ToldInstrument:
    """The ring's instrument, which the test controls."""
    return ToldInstrument()


@pytest.fixture
def ringed(tmp_path: Path, bench: ToldInstrument) -> Iterator[ServedHouse]:
    """A server with a game of three and a ring with an instrument."""
    site = ServedHouse(tmp_path, ToldRing(SEEN, instrument=bench)).play()
    yield site
    site.ledger.close()


def page(site: ServedHouse, address: str = "/ring") -> str:
    return site.visitor().get(address).get_data(as_text=True)


def test_ready_is_said_only_after_a_whole_passage() -> None:
    """State: the title says "ready" only after a cube was seen, not as soon as the port answers."""
    assert title(LIVE) == "Ring connected"
    assert title(SEEN) == "The ring is ready"
    assert title(replace(SEEN, state=RingState.SILENT)) == "The ring is silent"


def test_before_the_first_passage_the_page_says_what_to_do(ringed: ServedHouse) -> None:
    """State: before calibration and the first cube, the page says that both are missing."""
    assert isinstance(ringed.ring, ToldRing)
    ringed.ring.view = LIVE

    text = page(ringed)

    assert "Connected; no cube seen yet" in text
    assert "know your cubes" in text
    assert "Ring answers" in text


@pytest.mark.parametrize("state", ["none", "searching", "silent", "refused"])
def test_a_ring_that_is_not_there_is_no_broken_page(ringed: ServedHouse, state: str) -> None:
    """State: without a ring the page claims no knowledge, and says how to play without a ring."""
    assert isinstance(ringed.ring, ToldRing)
    ringed.ring.view = RingView(RingState(state), trouble="A sentence." if state == "refused" else "")

    text = page(ringed)

    assert title(ringed.ring.view) in text
    assert "Playing without a ring" in text or "without the ring" in text
    assert {each.good for each in checks(ringed.ring.view, InstrumentView())} == {None}


def test_health_knows_what_it_has_not_seen() -> None:
    """Health: beams and light are unknown before the first passage, and judged by it afterwards."""
    before = {each.name: each.good for each in checks(LIVE, InstrumentView())}
    after = {each.name: each.good for each in checks(LIVE, InstrumentView(last=PASSAGE))}

    assert before == {"Gate": True, "Ring on the table": True, "Light in the room": None, "Both beams": None}
    assert set(after.values()) == {True}


def test_health_says_what_to_do() -> None:
    """Health: a beam that missed the last cube, and unsteady light, each come with advice."""
    one_eyed = replace(PASSAGE, edges=PASSAGE.edges[::2])
    found = checks(LIVE, InstrumentView(last=one_eyed, faults={"ambient-light": 2}))
    blind = checks(LIVE, InstrumentView(last=PASSAGE, faults={"saturated": 1}))

    assert [each.advice for each in found if each.good is False] == [
        "Shade the gate, or turn that lamp away.",
        "Wipe both beams, then slide a cube.",
    ]
    assert [each.value for each in blind if each.good is False] == ["too bright, 1 time"]
    assert checks(replace(LIVE, lifted=True), InstrumentView())[1].good is False
    assert checks(replace(LIVE, lifted=None, gate_open=None), InstrumentView())[0].good is None


@pytest.mark.parametrize(("white", "advised"), [(0.5, True), (0.8, False), (1.0, False), (1.25, False), (1.6, True)])
def test_the_white_of_the_gate_has_a_gauge(white: float, advised: bool) -> None:
    """White: 0.8 to 1.25 of the value at calibration is good; outside this range the page gives advice."""
    seen = calibrated(("red", "blue"))
    assert seen.calibration is not None
    shown = gauge(replace(seen, calibration=replace(seen.calibration, white_now=white)))

    assert shown is not None
    assert bool(shown.advice) is advised
    assert 0 <= shown.at <= 100
    assert (shown.good_from <= shown.at <= shown.good_to) is not advised


def test_without_a_calibration_there_is_no_gauge() -> None:
    """White: without a calibration there is no gauge."""
    assert gauge(InstrumentView()) is None


def test_the_picture_shows_each_colour_with_its_player(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """Colours: every calibrated colour has a shape in the plot, and the name of the player who has it."""
    bench.view = calibrated(("red", "blue", "orange"), draws=(Dot(None, 0.2, 0.2, 0.2), *cloud(("blue",), 2)))

    text = page(ringed)

    assert "Ana, red" in text
    assert "Ben, blue" in text
    assert ">orange</text>" in flat(text)
    assert 'class="q">?</text>' in text
    assert "50 of 50" in text
    assert "<dd>red and orange</dd>" in flat(text)


def test_before_the_first_draw_no_panel_of_draws_takes_room(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """State: with colours learnt and no draw yet, the page has the colours and no empty list of draws."""
    bench.view = calibrated(("red", "blue"))

    text = page(ringed)

    assert "How the ring sees your colours" in text
    assert "Last draws" not in text


def test_the_picture_keeps_everything_inside() -> None:
    """Colours: for any readings, all marks and all centres of ellipses are inside the plot."""
    wild = (Dot("red", 9.0, -9.0, 4.0), Dot(None, -30.0, 30.0, -1.0))
    found = colour_plane.picture(cloud(("red", "blue", "wood")), wild)

    for mark in (*found.draws, *(mark for group in found.groups for mark in group.marks)):
        assert colour_plane.PLOT.left <= mark.x <= colour_plane.PLOT.right
        assert colour_plane.PLOT.top <= mark.y <= colour_plane.PLOT.bottom
    assert [mark.fresh for mark in found.draws] == [False, True]
    assert colour_plane.picture(()).empty


def test_a_colour_that_plays_and_was_never_taught_is_named(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """Colours: a player's colour that wasn't calibrated may be mistaken for another, so the page names it."""
    bench.view = calibrated(("red", "blue"))
    assert "never learnt Green" in page(ringed)

    bench.view = calibrated(("red", "blue", "green"))
    assert "never learnt" not in page(ringed)


def test_a_colour_of_one_reading_has_a_ring_too() -> None:
    """The first pass of a colour is shown immediately, before a spread can be computed."""
    found = colour_plane.picture(cloud(("green",), 1))

    assert (found.groups[0].rx, found.groups[0].ry) == (colour_plane.LEAST_RADIUS, colour_plane.LEAST_RADIUS)


def test_names_do_not_lie_upon_each_other() -> None:
    """Colours: the labels of eight colours don't overlap."""
    names = [group.label for group in colour_plane.picture(cloud(EIGHT)).groups]
    boxes = [LabelBox(at.x - len(at.words) * 4.5, at.y - 16, at.x + len(at.words) * 4.5, at.y) for at in names]

    assert not any(one.shared(other) for n, one in enumerate(boxes) for other in boxes[:n])


def test_a_name_goes_where_there_is_room() -> None:
    """Colours: a label is placed above its group if there is room, or else below or next to it."""
    frame = LabelBox(0, 0, 400, 400)
    above, below = placed([("red", 200, 200, 20, 20)], frame)[0], placed([("red", 200, 30, 20, 20)], frame)[0]

    assert above.y < 200
    assert below.y > 30


def test_the_last_passage_is_shown_raw(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """The page shows each frame's counts, the references, and the tracks of the two beams."""
    bench.view = InstrumentView(last=PASSAGE)

    text = page(ringed, "/ring?show=passage")

    assert "Came out: red" in text
    assert "1.01 of a cube long, 120 ms" in flat(text)
    for name in ("Frame 4", "White shutter", "Black card", "Lamp off"):
        assert name in text
    assert text.count("<polyline") == 4


def test_the_tracks_are_the_edges() -> None:
    """Readings: a track shows when a beam was blocked, in hundredths of the passage."""
    found = passage.shown(PASSAGE)

    assert [(track.beam, track.spans[0].left, track.spans[0].width) for track in found.tracks] == [
        ("A", 0.0, 66.8),
        ("B", 33.3, 66.7),
    ]
    assert found.ms == pytest.approx(120.1)


def test_a_passage_without_readings_is_shown_without() -> None:
    """Readings: without data there is no curve or track; one frame gives a line, and a beam may remain blocked."""
    bare = passage.shown(LastPassage("stuck", None, "unread"))
    single = passage.shown(LastPassage("out", "red", "", frames=((1, 2, 3, 4),), edges=(("a", True, 0),)))

    assert (bare.curves, bare.tracks, bare.rows, bare.ms) == ((), (), (), None)
    assert all(len(curve.points) == 2 for curve in single.curves)
    assert len(single.tracks[0].spans) == 1


def test_what_the_ring_had_no_room_for_stands_on_the_page(ringed: ServedHouse) -> None:
    """Link: the page counts the events that the ring lost because its memory was full."""
    assert isinstance(ringed.ring, ToldRing)
    ringed.ring.view = replace(SEEN, lost=37)

    assert "<dt>Lost (memory full)</dt><dd>37</dd>" in flat(page(ringed, "/ring?show=link"))


def test_letters_beside_the_curves_stand_apart() -> None:
    """Readings: the letters of curves that end at the same height don't overlap."""
    for frames in (((5, 5, 5, 5), (9, 9, 9, 9)), ((9, 9, 9, 9), (0, 0, 0, 0)), ((9, 9, 9, 9), (0, 0, 9, 9))):
        feet = sorted(curve.foot for curve in passage.shown(replace(PASSAGE, frames=frames)).curves)

        assert all(low + passage.LETTER <= high + 0.2 for low, high in pairwise(feet))
        assert feet[0] > 0
        assert feet[-1] <= passage.HEIGHT + 3


def test_faults_and_filters_are_counted_in_sight(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """Faults: the page shows passages, faults, the filters' settings, and how many events the filters suppressed."""
    bench.view = InstrumentView(
        passages={"out": 148},
        faults={"went-back": 3},
        settings={"filter": 1000, "refractory_us": 800},
        swallowed={"blink": 12},
    )

    text = page(ringed, "/ring?show=faults")

    for words in (
        "Came out",
        "148",
        "Slide again.",
        "A flicker is shorter than",
        "1 ms",
        "Refractory us",
        "800",
        "Beam flickers",
        "12",
    ):
        assert words in text
    assert "diagnostics" not in text
    assert "/ring/diagnostics.zip" in ringed.host().get("/ring?show=faults")


def test_diagnostics_are_one_file_for_the_host(ringed: ServedHouse) -> None:
    """Diagnostics: the host can download the instrument's files as a zip; other users can't."""
    packed = ZipFile(BytesIO(ringed.host().client.get("/ring/diagnostics.zip").data))

    assert packed.namelist() == ["capture/1.txt", "counters.json"]
    assert packed.read("capture/1.txt") == b"lines\n"
    assert ringed.visitor().get("/ring/diagnostics.zip").status_code == 403


def test_without_an_instrument_there_is_nothing_to_diagnose(site: ServedHouse) -> None:
    """Diagnostics: without a ring, the request is refused with a sentence."""
    answer = site.host().client.get("/ring/diagnostics.zip")

    assert answer.status_code == 409
    assert "no ring here" in answer.get_data(as_text=True)


def test_a_wizard_under_way_is_said_on_the_page(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """Wizard: during calibration the ring's page says that cubes don't count as draws, and links the host back."""
    bench.show(Wizard(WizardStage.PASSES, "Our copy", ("red", "blue"), "red"))

    assert "The ring is learning colours." in page(ringed)
    assert 'href="/ring/teach"' in ringed.host().get("/ring")
    bench.show(Wizard(WizardStage.CHECK, "Our copy", ("red", "blue")))
    assert "being checked" in page(ringed)


def test_practice_is_listed_without_a_game(tmp_path: Path, bench: ToldInstrument) -> None:
    """Last cubes: without a game, the ring's own readings are listed, and uncertain ones marked."""
    bench.view = InstrumentView(draws=(Dot(None, 0, 0, 0), Dot("blue", 0, 0, 0)))
    site = ServedHouse(tmp_path, ToldRing(SEEN, instrument=bench))

    text = page(site)
    site.ledger.close()

    assert text.index("Unsure") < text.index("<b>Blue</b>")


def test_the_page_says_which_news_it_shows(ringed: ServedHouse) -> None:
    """Live: the page contains the ring's counter of changes, and is fetched again when it grows."""
    assert isinstance(ringed.ring, ToldRing)
    ringed.ring.view = replace(SEEN, news=17)

    assert 'data-news="17"' in page(ringed)


def test_a_pair_too_close_is_marked(ringed: ServedHouse, bench: ToldInstrument) -> None:
    """Colours: two colours that are too alike are marked beside the plot."""
    seen = calibrated(("red", "orange"))
    assert seen.calibration is not None
    near = Near("red", "orange", 3.2, True, "Mark one of them.")
    bench.view = replace(seen, calibration=replace(seen.calibration, closest=near))

    assert "Too alike: the ring may confuse them." in page(ringed)


def test_without_a_ring_its_page_says_what_one_is_and_leads_on(site: ServedHouse) -> None:
    """Ring: without a configured ring, the page says how to play without one and how to connect one."""
    page = site.host().get("/ring")

    assert "No ring" in page and "--ring auto" in page and "--ring mock:" in page
    assert 'href="/table"' in page and "Last cubes" not in page
