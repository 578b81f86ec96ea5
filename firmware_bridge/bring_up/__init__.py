"""A new ring's first hour on the bench, step by step, measured and put on record."""
