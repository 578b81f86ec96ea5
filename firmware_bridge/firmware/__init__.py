"""The firmware as files: built from its source, put on a board, kept and brought back."""
