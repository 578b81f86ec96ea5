"""The command line's words for rings."""
