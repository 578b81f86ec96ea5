"""The circuit's calculations from the parts' figures, which the page calls calculated."""

from dataclasses import replace

import pytest

from hardware.drawing import parts, reckoning, solids
from hardware.drawing.coupling import neighbour_ma
from hardware.drawing.stamp import HERE

FIGURES = reckoning.figures(parts.parts())
ENOUGH = 1.5


@pytest.fixture(scope="module")
def gates():
    """The measures of both gates."""
    return {edge: solids.sizes(edge) for edge in solids.EDGES}


def test_the_page_has_every_sum_as_it_is_reckoned(gates):
    """circuit.md contains all results of the calculations from parts.toml; missing ones are printed."""
    page = (HERE / "circuit.md").read_text()
    sums = [*reckoning.sums(FIGURES), *reckoning.supply(FIGURES), *reckoning.receivers(FIGURES, gates)]
    sums += reckoning.on_a_pico_2(FIGURES, gates)
    print(*sums, sep="\n")

    assert [each for each in sums if each not in page] == []


@pytest.mark.parametrize("edge", solids.EDGES)
def test_a_usual_receiver_is_read_right_with_a_reserve_both_ways(gates, edge):
    """A typical receiver has a margin when lit by its emitter, and when only light from its neighbour reaches it."""
    (usual,) = [row for row in reckoning.receivers(FIGURES, gates) if row.startswith(f"| {edge} mm | usual")]
    lit, blocked = (float(cell) for cell in usual.split("|")[5:7])

    assert lit >= ENOUGH
    assert blocked >= ENOUGH


def test_wider_angles_light_the_neighbour_more(gates):
    """Wider angles let a receiver see more of its neighbour's light, so the list limits both half angles."""
    eyes = reckoning.eyes(FIGURES, FIGURES["Q3"]["ma_per_mw_cm2"][1])

    assert neighbour_ma(gates[8], replace(eyes, emits=30, sees=40)) > 1.5 * neighbour_ma(gates[8], eyes)


def test_no_part_is_asked_for_more_than_it_bears():
    """At USB's highest voltage, emitters, their resistor and the switching pins stay below their limits."""
    most = reckoning.emitter_ma(FIGURES, reckoning.HIGH_FIVE)

    assert most < FIGURES["D1"]["most_ma"]
    assert (most / 1000) ** 2 * FIGURES["R1"]["ohm"] < FIGURES["R1"]["most_w"] / 2
    assert most + reckoning.lamp_ma(FIGURES, reckoning.HIGH_FIVE) < FIGURES["Q1"]["most_ma"]
    assert 1000 * (FIGURES["U1"]["v"] - FIGURES["Q1"]["base_v"]) / FIGURES["R3"]["ohm"] < FIGURES["U1"]["pin_ma"]
