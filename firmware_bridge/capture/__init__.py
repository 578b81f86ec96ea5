"""What the ring said, kept: written as it happens, read back, and told again as a ring."""
