"""Captures of a ring's traffic: written while it happens, parsed again, and replayed as a ring."""
