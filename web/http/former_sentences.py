"""Words that ledgers and records hold, and the words that pages show for them today."""

from __future__ import annotations

from collections.abc import Mapping

NOW: Mapping[str, str] = {
    "Ringed": "Ringworld",
    "Twin": "Twins",
    "Striped": "Stripes",
    "Cratered": "Craters",
    "Frosted": "Frost",
    "put right by hand": "changed by hand",
}
"""A row keeps the pattern that it was written with; the catalogues have today's patterns only."""
