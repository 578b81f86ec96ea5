"""The rules of the games, as pure functions, in one folder for each game."""
