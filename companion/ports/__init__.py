"""Interfaces to devices, defined by the companion. The bridge imports only these and the kernel."""
