"""The pages of an attempt with the ring, while it is open and after it."""
