"""Checks whether pages offer what the rules accept, and nothing else, at random positions and for every viewer."""
