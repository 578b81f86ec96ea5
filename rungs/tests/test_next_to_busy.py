"""The program that runs the example next to busy processes, tested with one short run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from next_to_busy import main


def test_one_run_on_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    """One run on the model keeps all promises, and the status is 0."""
    status = main(["--runs=1", "--busy=1", "--rung=model"])

    assert (status, capsys.readouterr().out) == (
        0,
        "run 1: 12 kept\n12 promises: 0 broken, 0.00 % not judged\n",
    )
