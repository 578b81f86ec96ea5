"""The parts of the page after a game, for every game: points, durations, luck, turning points."""
