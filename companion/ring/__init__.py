"""Interpret the events of a ring: decide which event is a draw and which is a fault, and convert events for storage."""
