"""A rung as a console of a labgrid target."""
