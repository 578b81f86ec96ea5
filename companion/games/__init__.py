"""The games: one folder of pure rules each."""
