"""Rings that are not there: one simulated world, and several ways to be a ring over it."""
