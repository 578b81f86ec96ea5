"""Figures about the code: who imports whom, how long functions are, how plain the English is, how much there is."""
