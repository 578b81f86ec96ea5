"""Fairness: what is told of each ring, and what is left out of it and why."""

from __future__ import annotations

from dataclasses import replace

from companion.fairness import CubeSource, GameDraws, LetOut, LoggedDraw, Passed, Survey, course, reports

DRAW = LoggedDraw(
    1, "andromeda", 5, 0, 0, "red", "Ana", "p3", {"red": 2, "blue": 3}, ("red",), LetOut(CubeSource.RING, "r1")
)
MISS = replace(DRAW, out=("blue",))


def test_only_first_cubes_that_stand_are_evidence():
    """Fairness: several at once, what was taken back and what could not lie there are counted apart, not dropped."""
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
    """Fairness: simulated rings, typed draws and each ring by its name stand by themselves, real ones first."""
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
    """Fairness: whoever changes colour from game to game stays the same player."""
    other = replace(MISS, game_id=2, seat="blue", under={"red": 1, "blue": 1})
    (report,) = reports([DRAW, other])

    assert report.by_player["Ana"].draws == 2
    assert report.by_player["Ana"].hits == 2


def test_colours_are_asked_about_whoever_draws():
    """Fairness: of a colour every draw tells, also where nobody draws for themselves."""
    (report,) = reports([replace(MISS, seat="", name="")] * 4)

    assert report.own.draws == 0
    assert report.own.odds is None
    assert (report.by_colour["blue"].hits, report.by_colour["blue"].draws) == (4, 4)


def test_what_a_person_told_is_counted():
    """Fairness: how many of the draws that count were told by a person is said."""
    told = replace(DRAW, let_out=replace(DRAW.let_out, by_hand=True))

    assert reports([DRAW, told])[0].by_hand == 1


def test_a_ring_that_favours_a_colour_is_told_so_and_its_neighbours_are_not():
    """Fairness: of all that was asked, what stands up is marked."""
    (report,) = reports(
        [MISS, DRAW] * 30 + [replace(DRAW, seat="green", name="Cem", under={"red": 1, "green": 4})] * 60
    )

    assert report.by_colour["red"].believed
    assert report.by_player["Cem"].believed
    assert not report.by_player["Ana"].believed


def test_the_course_is_that_of_own_cubes():
    """Fairness: the running curve has a place for each of the draws that could have gone either way."""
    (report,) = reports([DRAW, MISS, replace(DRAW, under={"red": 2})])

    assert [moment.draws for moment in course(report.own.pieces)] == [1, 2]
    assert report.asked(("own", "")) == report.own
    assert report.asked(("colour", "red")) == report.by_colour["red"]
    assert report.asked(("player", "Nobody")) is None


def test_a_handful_from_a_bag_counts_as_one_draw():
    """Fairness: from a bag several come out at once by their nature; from a ring they have stuck together."""
    handful = replace(DRAW, seat="", name="", out=("red", "blue"), let_out=LetOut(CubeSource.BAG))
    (bag,) = reports([handful, replace(handful, out=("red", "red", "red"))])

    assert (bag.by_colour["red"].draws, bag.by_colour["red"].hits) == (1, 1)
    assert bag.skipped == {"unknown contents": 1}


def test_cubes_that_were_no_draw_are_counted():
    """Fairness: surplus and practice are no evidence, and are shown with the ring that counted them."""
    survey = Survey()
    survey.add(GameDraws((DRAW,), (Passed(CubeSource.RING, "r1", "surplus"), Passed(CubeSource.RING, "r1", "surplus"))))

    assert survey.reports()[0].passed == {"surplus": 2}


def test_a_survey_goes_on_from_game_to_game():
    """Fairness: game by game comes to the same as all at once, and a copy leaves the original as it was."""
    survey = Survey()
    survey.add(GameDraws((DRAW, MISS)))
    twin = survey.copy()
    twin.add(GameDraws((MISS,)))

    (one,), (other,) = survey.reports(), twin.reports()
    assert (one.own.hits, one.own.draws, one.counted) == (1, 2, 2)
    assert (other.own.hits, other.own.draws) == (1, 3)
    assert other.own.e_value == reports([DRAW, MISS, MISS])[0].own.e_value
