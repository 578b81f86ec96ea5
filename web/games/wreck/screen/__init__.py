"""The big screen of a game."""
