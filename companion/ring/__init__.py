"""Interpret the events of a ring for the table: which event is a draw, which is a fault, how each is stored."""
