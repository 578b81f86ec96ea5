"""The attempt with the ring, while it goes on and when it is over."""
