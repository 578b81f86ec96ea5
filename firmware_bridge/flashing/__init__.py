"""The firmware on a board: put there, checked there, kept and brought back."""
