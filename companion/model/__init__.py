"""The values of a table that is being played at: the game protocol, the clock, the snapshot that everybody sees."""
