"""Which program this is: said by the one that runs, which an update beside it does not change."""

from __future__ import annotations

VERSION = "0.1.0"
