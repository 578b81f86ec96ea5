"""Installs the firmware on a board, verifies it, and saves and restores what was there before."""
