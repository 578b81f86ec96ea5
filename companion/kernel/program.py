"""The version of the running program. An update of the installed files does not change it."""

from __future__ import annotations

VERSION = "0.1.0"
