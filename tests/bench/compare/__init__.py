"""Two checkouts measured in turns on the same machine, in one table."""
