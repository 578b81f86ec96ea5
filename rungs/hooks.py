"""The hooks that a suite's conftest.py, or another plugin, may implement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rungs.rung import Rung, Spec


@pytest.hookspec(firstresult=True)
def pytest_rungs_rung(spec: Spec) -> Rung | None:
    """Return the rung that *spec* names, or None if it isn't one of yours. Raise `Missing` if it isn't available.

    def pytest_rungs_rung(spec):
        return Model() if str(spec) == "model" else None
    """


@pytest.hookspec(firstresult=True)
def pytest_rungs_chosen(config: pytest.Config, asked: list[str]) -> list[Any] | None:
    """Return the rungs of this run: their names, or `pytest.param(name, marks=...)`; None leaves the choice to the kit.

    *asked* are the rungs of `--rung`. A rung marked `skip(reason=...)` is not created; its promises are not applicable.
    """


@pytest.hookspec
def pytest_rungs_report(record: Mapping[str, object]) -> None:
    """Receive the *record* of the run, as in record.json, before it is written."""
