"""Clubs on this machine: a Mosquitto of its own on a free port of the loopback, and tables that play at it."""
