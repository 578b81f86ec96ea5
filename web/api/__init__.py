"""The addresses for programs, and their description."""
