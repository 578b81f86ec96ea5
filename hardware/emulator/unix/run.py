"""Run a board's files on MicroPython's unix port: `micropython run.py FLASH BOARD`. Requests use descriptor 3."""

import sys

flash, board = sys.argv[1:3]
sys.path[:] = [board, sys.path[0], ".frozen"]

import os  # noqa: E402
import time  # noqa: E402, F401

import machine  # noqa: E402, F401  # the emulator's module; it is out of reach after the mount
import outside  # noqa: E402
import vfs  # noqa: E402
from flash import Flash  # noqa: E402

root = Flash(flash, board)
vfs.umount("/")
vfs.mount(root, "/")
os.chdir("/")
sys.path[:] = ["", ".frozen", "/lib"]
import main  # noqa: E402, F401

outside.ask("q")
