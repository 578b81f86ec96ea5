"""The values of a live table: the game protocol, clock, snapshot."""
