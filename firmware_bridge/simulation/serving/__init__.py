"""Simulated rings at work: on a file descriptor, behind a pseudo-terminal, as a process of their own."""
