"""The steps of the build: each has a drawing and parts, and every part of the list is used once."""

import re
from collections import Counter
from itertools import pairwise

import pytest

from hardware.drawing import building, parts, scenes, solids, steps
from hardware.drawing.stamp import HERE

STEPS = steps.steps()
PAGE = (HERE / "assembly.md").read_text()
SECTIONS = {text.split("\n", 1)[0]: text for text in PAGE.split("\n## ")}


def test_every_part_of_the_list_goes_in_exactly_once():
    """All steps together use exactly the parts in the list."""
    listed = {}
    for part in parts.parts():
        for ref in part.refs:
            listed[ref] = max(part.pico, part.pi) // len(part.refs)

    assert sum((step.takes for step in STEPS), Counter()) == listed


def test_every_printed_part_goes_in_exactly_once():
    """The steps use each printed part exactly once."""
    assert sorted(part for step in STEPS for part in step.printed) == sorted(solids.PARTS)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_each_step_is_told_in_its_section_with_its_picture(step):
    """In the guide each step has the line made from the list, followed by a picture that exists."""
    section = SECTIONS[step.section]

    assert step.line in section, step.line
    assert section.index(step.line) < section.index(f"]({step.path})")
    assert (HERE / step.path).read_text().startswith("<svg")


def test_steps_are_told_in_their_order():
    """The guide has the steps of the list, in order, and no other steps."""
    assert [int(number) for number in re.findall(r"\*\*Step (\d+):", PAGE)] == [step.number for step in STEPS]


@pytest.mark.parametrize("step", [step for step in STEPS if not step.picture], ids=lambda step: step.name)
def test_each_picture_says_which_step_it_is(step):
    """Each picture contains the number and title of its step."""
    assert f"Step {step.number}: {step.title}" in (HERE / step.path).read_text()
    assert step.name in {**building.SCENES, **building.BOARDS}


@pytest.mark.parametrize("step", [step for step in STEPS if step.name in building.SCENES], ids=lambda step: step.name)
def test_no_name_lies_on_another_or_beside_the_sheet(step):
    """Names in a picture keep their distance from each other and from the margin."""
    told = (HERE / step.path).read_text()
    texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="(?:name|soft)"( text-anchor="end")?>([^<]+)<', told)
    columns = {
        end: sorted(float(y) for _, y, anchor, _ in texts if anchor == end) for end in {each[2] for each in texts}
    }

    for x, y, end, words in texts:
        reach = 8.2 * len(words)
        assert (float(x) - reach if end else float(x)) >= 0, words
        assert (float(x) if end else float(x) + reach) <= scenes.SIZE[0], words
        assert float(y) < scenes.SIZE[1]
    for rows in columns.values():
        assert all(b - a >= 14 for a, b in pairwise(rows))


def test_a_part_that_is_taken_twice_is_counted_twice(tmp_path):
    """A part used in two steps is counted twice."""
    source = tmp_path / "steps.toml"
    source.write_text("".join(f'[[step]]\nname="{n}"\ntitle="t"\nsection="s"\ntakes=["H1 x 2", "U1"]\n' for n in "ab"))

    assert sum((step.takes for step in steps.steps(source)), Counter()) == {"H1": 4, "U1": 2}
