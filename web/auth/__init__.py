"""Who is who: the host's PIN, the seats of phones, what each may do, and how often a PIN may be wrong."""
