"""Update and rollback of the program as a Debian package. Neither is done during a game."""
