"""The version of the running program. Updating the installed files does not change it until a restart."""

from __future__ import annotations

VERSION = "0.1.0"
