"""Fairness: the report on each ring, and the draws that it leaves out with their reasons."""

from __future__ import annotations

from dataclasses import replace

from companion.fairness import CubeSource, GameDraws, LetOut, LoggedDraw, Passed, Survey, course, reports

DRAW = LoggedDraw(
    1, "andromeda", 5, 0, 0, "red", "Ana", "p3", {"red": 2, "blue": 3}, ("red",), LetOut(CubeSource.RING, "r1")
)
MISS = replace(DRAW, out=("blue",))


def test_only_first_cubes_that_stand_are_evidence():
    """Fairness: draws of several cubes, undone draws and draws with unknown contents are counted as left out."""
    skipped = [
        replace(DRAW, out=("red", "blue")),
        replace(DRAW, undone="misread"),
        replace(DRAW, out=("green",)),
        replace(DRAW, under={"red": 2}),
    ]
    (report,) = reports([DRAW, MISS, *skipped])

    assert report.draws == 6
    assert report.own.draws == 2
    assert report.skipped == {"several at once": 1, "taken back": 1, "unknown contents": 1, "one way only": 1}


def test_a_simulated_ring_says_nothing_of_a_real_one():
    """Fairness: each ring, simulated rings and typed draws have separate reports, with real rings first."""
    kinds = [
        LetOut(CubeSource.HAND),
        LetOut(CubeSource.SIMULATED, "virtual"),
        LetOut(CubeSource.RING, "r2"),
        LetOut(CubeSource.RING, "r1"),
    ]
    found = reports([replace(DRAW, let_out=kind) for kind in kinds] + [DRAW])

    assert [(report.source, report.ring) for report in found] == [
        *((CubeSource.RING, "r1"), (CubeSource.RING, "r2"), (CubeSource.SIMULATED, "virtual"), (CubeSource.HAND, "")),
    ]


def test_each_player_is_asked_about_by_name():
    """Fairness: draws are counted by the player's name, even if the player has a different colour in each game."""
    other = replace(MISS, game_id=2, seat="blue", under={"red": 1, "blue": 1})
    (report,) = reports([DRAW, other])

    assert report.by_player["Ana"].draws == 2
    assert report.by_player["Ana"].hits == 2


def test_colours_are_asked_about_whoever_draws():
    """Fairness: a colour's odds are computed from all draws, even if no player draws for themselves."""
    (report,) = reports([replace(MISS, seat="", name="")] * 4)

    assert report.own.draws == 0
    assert report.own.odds is None
    assert (report.by_colour["blue"].hits, report.by_colour["blue"].draws) == (4, 4)


def test_what_a_person_told_is_counted():
    """Fairness: the number of draws whose colour a person entered is counted."""
    told = replace(DRAW, let_out=replace(DRAW.let_out, by_hand=True))

    assert reports([DRAW, told])[0].by_hand == 1


def test_a_ring_that_favours_a_colour_is_told_so_and_its_neighbours_are_not():
    """Fairness: only hypotheses that pass the correction for many tests are marked as believed."""
    (report,) = reports(
        [MISS, DRAW] * 30 + [replace(DRAW, seat="green", name="Cem", under={"red": 1, "green": 4})] * 60
    )

    assert report.by_colour["red"].believed
    assert report.by_player["Cem"].believed
    assert not report.by_player["Ana"].believed


def test_the_course_is_that_of_own_cubes():
    """Fairness: the running curve has a point for each draw that could have been a hit or a miss."""
    (report,) = reports([DRAW, MISS, replace(DRAW, under={"red": 2})])

    assert [moment.draws for moment in course(report.own.pieces)] == [1, 2]
    assert report.asked(("own", "")) == report.own
    assert report.asked(("colour", "red")) == report.by_colour["red"]
    assert report.asked(("player", "Nobody")) is None


def test_a_handful_from_a_bag_counts_as_one_draw():
    """Fairness: several cubes from a bag are one draw of a handful, and do not count as stuck together."""
    handful = replace(DRAW, seat="", name="", out=("red", "blue"), let_out=LetOut(CubeSource.BAG))
    (bag,) = reports([handful, replace(handful, out=("red", "red", "red"))])

    assert (bag.by_colour["red"].draws, bag.by_colour["red"].hits) == (1, 1)
    assert bag.skipped == {"unknown contents": 1}


def test_cubes_that_were_no_draw_are_counted():
    """Surplus and practice cubes are not evidence, but are counted for the ring that reported them."""
    survey = Survey()
    survey.add(GameDraws((DRAW,), (Passed(CubeSource.RING, "r1", "surplus"), Passed(CubeSource.RING, "r1", "surplus"))))

    assert survey.reports()[0].passed == {"surplus": 2}


def test_a_survey_goes_on_from_game_to_game():
    """Fairness: adding game by game gives the same report as adding all at once, and a copy is independent."""
    survey = Survey()
    survey.add(GameDraws((DRAW, MISS)))
    twin = survey.copy()
    twin.add(GameDraws((MISS,)))

    (one,), (other,) = survey.reports(), twin.reports()
    assert (one.own.hits, one.own.draws, one.counted) == (1, 2, 2)
    assert (other.own.hits, other.own.draws) == (1, 3)
    assert other.own.e_value == reports([DRAW, MISS, MISS])[0].own.e_value
