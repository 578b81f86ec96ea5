"""Authentication: the host's PIN, the seats of phones, the permissions of seats, and limits for wrong PINs."""
