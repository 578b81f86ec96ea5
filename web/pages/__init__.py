"""The pages that are the same for every game."""
