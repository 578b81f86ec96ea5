"""Clubs on this machine for tests: a separate Mosquitto on a free loopback port, and tables that play with it."""
