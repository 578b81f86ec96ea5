"""The Debian packages of the companion for each suite and architecture of a Raspberry Pi, built from a checkout."""
