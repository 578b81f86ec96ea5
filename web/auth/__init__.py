"""Authentication: the host's PIN, the seats of phones, what each may do, and limits for wrong PINs."""
