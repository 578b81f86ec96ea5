"""The hooks that a suite's conftest.py, or another plugin, may implement."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rungs.rung import Rung, Spec


@pytest.hookspec(firstresult=True)
def pytest_rungs_rung(spec: Spec) -> Rung | None:
    """Return the rung that *spec* asks for, or None if it is not yours. Raise `Missing` if it cannot be had.

    def pytest_rungs_rung(spec):
        return Model() if spec.name == "model" else None
    """


@pytest.hookspec
def pytest_rungs_report(record: Mapping[str, object]) -> None:
    """Take the *record* of the run, as in record.json, before it is written."""
