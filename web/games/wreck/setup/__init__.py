"""The page for a new game of the wreck, and the demonstration game."""
