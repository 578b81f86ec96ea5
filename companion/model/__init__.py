"""Data types of the live table: the protocol of a game, its clock, the snapshot that pages show."""
