"""Errors and small functions that every sub-package of the bridge may import."""
