"""Figures about the code: imports, length of functions, plainness of the English, and amounts."""
