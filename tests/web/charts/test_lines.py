"""Line charts: positions of lines and labels, and the table of readings."""

from __future__ import annotations

from itertools import pairwise

from web.charts.axis import linear_axis, whole_axis
from web.charts.lines import HALF, MOST_POINTS, MOST_READINGS, PHONE, TOKEN, LineChart, Series


def chart(*series: Series) -> LineChart:
    """Return a line chart of *series* over five rounds."""
    points = [value for each in series for _, value in each.points]
    return LineChart("Scores", whole_axis("Round", [1, 5]), linear_axis("Points", points), series)


def score(*values: float, colour: str = "red") -> Series:
    """Return a series with one score per round."""
    return Series(colour, tuple(enumerate(values, 1)), colour, colour[0], stepped=True)


def test_a_line_goes_from_the_left_edge_to_the_right_and_up_with_its_value() -> None:
    """Lines: the lowest value of the axis is at the bottom, and the highest at the top."""
    plot = chart(score(0, 5, 10, 10, 10)).plot(HALF)
    line = plot.drawn[0].line

    assert line.startswith(f"M{plot.left:g} {plot.bottom:g}")
    assert line.endswith(f"H{plot.right:g}V{plot.top:g}")


def test_tokens_at_the_ends_do_not_cover_each_other() -> None:
    """Lines: labels of players with the same last score are placed below each other, within the picture."""
    plot = chart(*(score(3, 7, 9, 9, 9, colour=colour) for colour in ("red", "blue", "green", "black"))).plot(PHONE)
    feet = sorted(each.foot for each in plot.drawn)

    assert all(below - above >= TOKEN - 0.11 for above, below in pairwise(feet))
    assert plot.top <= feet[0] <= feet[-1] <= plot.bottom


def test_numbers_below_the_plot_have_room() -> None:
    """Lines: on a phone some tick labels are left out so that none overlap."""
    wide = LineChart("Draws", linear_axis("Draws", [0, 40_000], most=12), linear_axis("w", [0, 1]), ())
    places = [(x, 9.5 * len(words)) for x, words in wide.plot(PHONE).ticks_x]

    assert places
    assert all(x + a / 2 < y - b / 2 for (x, a), (y, b) in pairwise(places))


def test_the_last_value_stands_after_the_token() -> None:
    """Lines: a line with a label for its last value ends further left, to leave room for the label."""
    bare, named = score(1, 2, 3), Series("Ana", ((1, 1), (2, 2)), "red", "A", last="54")

    assert chart(named).plot(PHONE).right < chart(bare).plot(PHONE).right


def test_what_the_lines_say_is_read_at_every_place_where_one_has_a_point() -> None:
    """Lines: a stepped score keeps its value until the next point; a line that has ended has no later readings."""
    steady = score(3, 5)
    other = Series("mean", ((1, 2.5), (4, 4.0)))
    read = chart(steady, other).readings

    assert [(row.words, row.values) for row in read] == [
        ("1", ("3", "2.5")),
        ("2", ("5", "2.5")),
        ("4", ("5", "4")),
    ]


def test_a_long_log_is_drawn_with_no_more_points_than_can_be_told_apart() -> None:
    """Lines: the page for 20,000 draws has no more points than MOST_POINTS, and the last draw is always included."""
    many = Series("w", tuple((n, n % 7) for n in range(20_000)))
    drawn = LineChart("w", linear_axis("Draws", [0, 20_000]), linear_axis("w", [0, 7]), (many,))

    assert drawn.plot(HALF).drawn[0].line.count("L") == MOST_POINTS - 1
    assert len(drawn.readings) == MOST_READINGS
    assert drawn.readings[-1].words == "19,999"
