"""Simulated rings: one simulated world, and several rings that run on it (virtual, emulated board, emulated chip)."""
