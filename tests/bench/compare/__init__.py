"""Two checkouts measured alternately on the same machine, in one table."""
