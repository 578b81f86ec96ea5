"""The hooks that a suite's conftest.py, or another plugin, may implement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rungs.rung import Rung, Spec


@pytest.hookspec(firstresult=True)
def pytest_rungs_rung(spec: Spec) -> Rung | None:
    """Return the rung that *spec* asks for, or None if it is not yours. Raise `Missing` if it cannot be had.

    def pytest_rungs_rung(spec):
        return Model() if spec.name == "model" else None
    """


@pytest.hookspec(firstresult=True)
def pytest_rungs_chosen(config: pytest.Config, asked: list[str]) -> list[Any] | None:
    """Return the rungs of this run: their names, or `pytest.param(name, marks=...)`; None leaves the choice to the kit.

    *asked* are those of `--rung`. A rung with the mark `skip(reason=...)` is not made: its promises are not applicable.
    """


@pytest.hookspec
def pytest_rungs_report(record: Mapping[str, object]) -> None:
    """Take the *record* of the run, as in record.json, before it is written."""
