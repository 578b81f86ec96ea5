"""Passages as they were measured, and how they are put together out of numbered lines."""
