"""The examples in the kit's docstrings are correct, and the parts that a program imports do not need pytest."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
MODULES = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in ("__init__", "__main__"))
ALONE = "import sys; import rungs.wire, rungs.trouble, rungs.capture; print(*sorted(sys.modules))"


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    """Each example in the kit's docstrings gives the documented output."""
    module = importlib.import_module(f"rungs.{name}")

    assert doctest.testmod(module).failed == 0


def test_what_a_program_imports_brings_no_pytest() -> None:
    """`wire`, `trouble` and `capture` import neither pytest nor any other package of this project."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=HERE.parent, capture_output=True, text=True, check=True, timeout=60
    )  # fmt: skip

    assert {"pytest", "companion", "firmware_bridge", "web"} & set(done.stdout.split()) == set()
