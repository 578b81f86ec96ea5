"""The pages of each game, one folder each."""
