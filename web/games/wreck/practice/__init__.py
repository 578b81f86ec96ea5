"""The game that plays itself."""
