"""Line charts: what is drawn where, and what is read out."""

from __future__ import annotations

from itertools import pairwise

from web.charts.axis import linear_axis, whole_axis
from web.charts.lines import HALF, MOST_POINTS, MOST_READINGS, PHONE, TOKEN, LineChart, Series


def chart(*series: Series, marks: tuple[tuple[float, str], ...] = ()) -> LineChart:
    """Return a chart of five rounds."""
    points = [value for each in series for _, value in each.points]
    return LineChart("Scores", whole_axis("Round", [1, 5]), linear_axis("Points", points), series, marks=marks)


def score(*values: float, colour: str = "red") -> Series:
    """Return a score, round by round."""
    return Series(colour, tuple(enumerate(values, 1)), colour, colour[0], stepped=True)


def test_a_line_goes_from_the_left_edge_to_the_right_and_up_with_its_value() -> None:
    """Lines: the least value of the axis lies at the bottom, the greatest at the top."""
    plot = chart(score(0, 5, 10, 10, 10)).plot(HALF)
    line = plot.drawn[0].line

    assert line.startswith(f"M{plot.left:g} {plot.bottom:g}")
    assert line.endswith(f"H{plot.right:g}V{plot.top:g}")


def test_tokens_at_the_ends_do_not_cover_each_other() -> None:
    """Lines: players who end alike stand one below the other, within the picture."""
    plot = chart(*(score(3, 7, 9, 9, 9, colour=colour) for colour in ("red", "blue", "green", "black"))).plot(PHONE)
    feet = sorted(each.foot for each in plot.drawn)

    assert all(below - above >= TOKEN - 0.11 for above, below in pairwise(feet))
    assert plot.top <= feet[0] <= feet[-1] <= plot.bottom


def test_numbers_below_the_plot_have_room() -> None:
    """Lines: on a phone some numbers are left out rather than run together."""
    wide = LineChart("Draws", linear_axis("Draws", [0, 40_000], most=12), linear_axis("w", [0, 1]), ())
    places = [(x, 9.5 * len(words)) for x, words in wide.plot(PHONE).ticks_x]

    assert places
    assert all(x + a / 2 < y - b / 2 for (x, a), (y, b) in pairwise(places))


def test_words_of_marks_stand_in_rows_above_the_plot_and_are_left_out_beyond() -> None:
    """Lines: no line strikes the words of marks; a fourth at one place has no room, its line is drawn all the same."""
    words = ("Ringworld", "Craters", "Oceania", "Twins")
    plot = chart(score(1, 2, 3, 4, 5), marks=tuple((2 + n / 10, each) for n, each in enumerate(words))).plot(PHONE)

    assert [mark.words for mark in plot.marks] == ["Ringworld", "Craters", "Oceania", ""]
    assert 0 < plot.marks[0].rise < plot.marks[1].rise < plot.marks[2].rise < plot.top


def test_numbered_marks_without_room_for_words_are_their_numbers_each_at_its_line() -> None:
    """Lines: of turns that follow closely the first is in words, above the others' numbers; none ends at its line."""
    drawn = chart(score(1, 2, 3, 4, 5), marks=((1, "Turns 1 to 10"), (2, "Turns 11 to 20"), (5, "Turns 41 to 50")))
    marks = drawn.plot(PHONE).marks

    assert [mark.words for mark in marks] == ["Turns 1 to 10", "11", "41"]
    assert marks[0].rise > marks[1].rise == marks[2].rise > 0
    assert not any(mark.ends for mark in marks)


def test_what_the_lines_say_is_read_at_every_place_where_one_has_a_point() -> None:
    """Lines: a score holds until its next point; a line that has ended says nothing more."""
    steady = score(3, 5)
    other = Series("mean", ((1, 2.5), (4, 4.0)))
    read = chart(steady, other).readings

    assert [(row.words, row.values) for row in read] == [
        ("1", ("3", "2.5")),
        ("2", ("5", "2.5")),
        ("4", ("5", "4")),
    ]


def test_a_long_log_is_drawn_with_no_more_points_than_can_be_told_apart() -> None:
    """Lines: 20,000 draws make a page no heavier than 160 do; the last one is always there."""
    many = Series("w", tuple((n, n % 7) for n in range(20_000)))
    drawn = LineChart("w", linear_axis("Draws", [0, 20_000]), linear_axis("w", [0, 7]), (many,))

    assert drawn.plot(HALF).drawn[0].line.count("L") == MOST_POINTS - 1
    assert len(drawn.readings) == MOST_READINGS
    assert drawn.readings[-1].words == "19,999"
