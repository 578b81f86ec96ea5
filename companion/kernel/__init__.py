"""Modules that every package may use: translatable sentences, errors with a reason, input validation, threads."""
