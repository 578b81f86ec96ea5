"""Runs simulated rings: on a file descriptor, behind a pseudo-terminal, or as a process of their own."""
