"""A ring taught in the terminal."""
