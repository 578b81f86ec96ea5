"""Declarations of all commands, shared by forms and the API."""
