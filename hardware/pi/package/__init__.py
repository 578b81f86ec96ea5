"""The Debian package of the companion, for each suite and architecture of a Raspberry Pi, built from the checkout."""
