"""The emulated chip for each test, a host connected to it, and the measured figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hil.rungs import maker
from tests.hil.rungs.chip import Chip
from tests.hil.sitting import Sitting

FIGURES = Path("build") / "chip" / "figures.json"


@pytest.fixture
def chip(request) -> Iterator[Chip]:
    """A chip that has just started, with our firmware."""
    chip = maker(f"chip:{request.config.getoption('chip')}")()
    yield chip
    chip.close()


@pytest.fixture
def host(chip) -> Iterator[Sitting]:
    """A host that has greeted it."""
    sitting = Sitting(chip, chip.wire).begin()
    yield sitting
    sitting.leave()


@pytest.fixture(scope="session")
def figures() -> Iterator[dict[str, object]]:
    """Figures by name, written to a file at the end."""
    found: dict[str, object] = {}
    yield found
    FIGURES.parent.mkdir(parents=True, exist_ok=True)
    kept = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    FIGURES.write_text(json.dumps(kept | found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))
