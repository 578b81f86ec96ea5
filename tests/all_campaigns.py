"""All programs in tests/, each with a test in `make test` that runs a small part of it: its slice.

Without a slice a program breaks unnoticed, so every new program must be entered here. A slice runs to its end within
seconds, with the program's own code.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
HERE = "tests/test_all_campaigns.py"
CONTENTS = "tests/damage/test_contents.py"
SLICES = {
    "tests.busy": f"{HERE}::test_a_command_runs_next_to_busy_loops",
    "tests.companion.app.without_rights": "tests/companion/app/test_read_only.py",
    "tests.eyeless": "tests/browser/test_eyeless.py::test_a_game_is_played_to_its_end_by_ear",
    "tests.strangers": "tests/strangers/test_strangers.py::test_strangers_find_nothing",
    "tests.damage": "tests/damage/test_slice.py::test_whatever_is_damaged_the_house_starts_and_says_so",
    "tests.damage.forged": "tests/damage/test_slice.py::test_every_forgery_of_sealed_draws_is_noticed",
    "tests.damage.hostile": "tests/damage/test_hostile.py::test_no_hostile_file_does_harm",
    "tests.damage.hostile_contents": f"{CONTENTS}::test_what_comes_from_outside_is_refused_whole_or_shown",
    "tests.offered": "tests/offered/test_slice.py::test_what_is_offered_is_accepted_and_the_other_way_round",
    "tests.strangers.twins": "tests/strangers/test_twins.py::test_what_is_hidden_makes_no_difference",
    "tests.firmware_bridge.conformance.orders": f"{HERE}::test_each_program_finds_what_it_uses",
    "tests.powercut": "tests/powercut/test_evenings.py::test_nothing_that_was_shown_is_lost",
    "tests.powercut.server": "tests/powercut/test_evenings.py::test_nothing_that_was_shown_is_lost",
    "tests.soak": f"{HERE}::test_a_moment_of_a_night_passes",
    "tests.merging": f"{HERE}::test_a_command_ends_well",
    "tests.mutants": "tests/mutants/test_mutants.py::test_a_mutant_is_caught_by_the_first_test_that_fails",
    "tests.mutants.promises": "tests/mutants/test_promises.py::test_a_fault_that_is_switched_on_is_noticed",
    "tests.club": "tests/companion/club/test_campaigns.py::test_a_club_with_tables_plays",
    "tests.club.attack": "tests/companion/club/test_campaigns.py::test_an_attack_comes_to_nothing",
    "tests.club.draws_at_home": "tests/companion/club/test_home.py::test_lights_do_not_change_while_a_draw_is_expected",
    "tests.club.hidden": "tests/companion/club/test_table_view.py::test_what_a_spectator_does_not_see_changes_nothing",
    "tests.club.home_assistant": "tests/companion/club/test_home.py::test_one_message_announces_all_entities",
    "tests.club.home_core": "tests/companion/club/test_home.py::test_one_message_announces_all_entities",
    "tests.club.month": "tests/companion/club/test_campaigns.py::test_a_month_has_the_league_of_its_ledgers",
    "tests.club.outages": "tests/companion/club/test_campaigns.py::test_a_table_that_dies_or_goes_back_in_time_is_seen",
    "tests.club.permissions": "tests/companion/club/test_access.py::test_no_table_reaches_the_topics_of_another",
    "tests.club.kills": "tests/companion/club/test_campaigns.py::test_kills_lose_nothing",
    "tests.bench.club": "tests/companion/club/test_campaigns.py::test_the_measurement_has_all_figures",
    "tests.fuzz": "tests/fuzz/test_scripts.py::test_a_few_hundred_others_are_survived",
    "tests.fuzz.hunting": "tests/fuzz/test_scripts.py::test_a_few_hundred_others_are_survived",
    "tests.browsers": f"{HERE}::test_each_program_finds_what_it_uses",
    "tests.browser.sheet": f"{HERE}::test_a_command_ends_well",
    "tests.browser.film": "tests/browser/test_results.py::test_a_slow_device_shows_a_moment_to_its_end",
    "tests.browser.axe": "tests/browser/test_accessibility.py::test_the_host_is_not_shut_out",
    "tests.browser.gallery": "tests/web/test_gallery.py::test_every_page_has_its_picture",
    "tests.browser.shown": "tests/web/test_gallery.py::test_the_pictures_that_are_shown_are_kept_and_no_others",
    "tests.browser.icons": f"{HERE}::test_each_program_finds_what_it_uses",
    "tests.fairness": f"{HERE}::test_simulated_rings_are_judged",
    "tests.fairness.nights": "tests/web/pages/test_fairness.py::test_a_colour_that_is_favoured_is_marked",
    "tests.luck": f"{HERE}::test_luck_and_the_rest_are_the_whole_game",
    "tests.package": "tests/hardware/pi/test_package.py",
    "tests.package.wheel": "tests/firmware_bridge/firmware_image/test_packaged.py",
    "tests.pi": "tests/pi/test_run.py::test_an_evening_ends_by_itself",
    "tests.pi.arm64": "tests/pi/test_commands.py::test_what_docs_say_is_what_is_typed",
    "tests.pi.guest.tunnel": "tests/pi/test_run.py::test_an_evening_ends_by_itself",
    "tests.chip": "tests/firmware_bridge/simulation/test_chip.py::test_make_chip_says_how_to_have_a_micropython",
    "tests.forkserver.server": "tests/companion/ledger/test_plug.py::test_the_plug_may_be_pulled_at_any_moment",
    "tests.companion.ledger.playing": "tests/companion/ledger/test_plug.py::test_the_plug_may_be_pulled_at_any_moment",
    "tests.generations.keep": "tests/generations/test_generations.py::test_the_commands_say_what_they_said",
    "tests.figures": "tests/figures/test_figures.py::test_nothing_imports_in_a_circle",
    "tests.figures.traced": "tests/figures/test_counters.py::test_a_cube_a_tap_and_a_page_are_traced",
    "tests.bench.cube": "tests/figures/test_counters.py::test_a_cube_a_tap_and_a_page_are_traced",
    "tests.docs.architecture": "tests/docs/test_pages.py::test_the_picture_shows_the_floors_that_imports_are_held_to",
    "tests.cost": f"{HERE}::test_what_a_command_costs_is_told",
    "tests.web.after_game.evenings": "tests/web/after_game/test_after_pages.py",
    "tests.web.served_house": "tests/web/test_gallery.py::test_every_page_has_its_picture",
    "tests.companion.games.andromeda.records.gather": f"{HERE}::test_each_program_finds_what_it_uses",
    "tests.firmware_bridge.capture.recordings.record": f"{HERE}::test_each_program_finds_what_it_uses",
    "tests.bench.rules": f"{HERE}::test_a_command_ends_well",
}
BENCHES = f"{HERE}::test_each_program_finds_what_it_uses"
"""Benches are slow, so they are only imported with everything that they need; one of them runs."""


def slice_of(program: str) -> str:
    """Return the test that runs a slice of *program*, or "" if there is none."""
    return SLICES.get(program, BENCHES if program.startswith("tests.bench.") else "")


@cache
def programs() -> tuple[str, ...]:
    """Return all modules in tests/ that can be run, such as `tests.soak` for `tests/soak/__main__.py`."""
    found = (path for path in sorted((ROOT / "tests").rglob("*.py")) if path.name == "__main__.py" or _runs(path))
    parts = (path.relative_to(ROOT).with_suffix("").parts for path in found)
    return tuple(".".join(each).removesuffix(".__main__") for each in parts)


def _runs(path: Path) -> bool:
    """Return whether *path* does something when it is run as a program."""
    text = path.read_text(encoding="utf-8")
    return "__name__" in text and any(
        isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and ast.unparse(node.test.left) == "__name__"
        for node in ast.parse(text).body
    )
