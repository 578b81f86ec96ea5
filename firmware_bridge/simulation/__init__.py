"""Simulated rings. One simulated world serves several kinds of rings: virtual, emulated board and emulated chip."""
