"""The product's wheel and package contain the modules of the test kit that the bridge uses, and no pytest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hardware.pi.package.site_packages import OF_THE_KIT, our_files

ROOT = Path(__file__).parents[2]
ALONE = "import sys, rungs, firmware_bridge.transport.serial_ports; print(rungs.__file__, *sys.modules, sep='\\n')"


def test_the_build_copies_the_modules_that_the_bridge_uses(tmp_path: Path) -> None:
    """The wheel has exactly the kit's modules that the bridge uses, as in the checkout, and they don't need pytest."""
    lib = tmp_path / "lib"
    build = [sys.executable, "setup.py", "-q", "build", "--build-base", tmp_path / "base", "--build-lib", lib]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)

    built = {f"rungs/{path.name}": path.read_bytes() for path in (lib / "rungs").iterdir()}
    assert built == {name: (ROOT / name).read_bytes() for name in OF_THE_KIT}

    done = subprocess.run([sys.executable, "-c", ALONE], cwd=lib, check=True, capture_output=True, text=True)
    where, *modules = done.stdout.splitlines()
    assert Path(where) == lib / "rungs" / "__init__.py"
    assert {"pytest", "_pytest"} & set(modules) == set()


def test_the_package_is_built_from_the_same_files() -> None:
    """The package's wheel is built from exactly those modules of the kit."""
    assert sorted(name for name in our_files(ROOT) if name.startswith("rungs/")) == sorted(OF_THE_KIT)
