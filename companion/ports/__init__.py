"""Interfaces to devices, defined by the companion.

From the companion, the bridge imports only this package and the kernel.
"""
