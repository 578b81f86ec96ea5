"""Fixtures of the kit's own tests; a suite inside a test loads the kit, and no other installed plugin."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_other_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
