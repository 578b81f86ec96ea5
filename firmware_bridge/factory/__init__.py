"""From an address to a ring, and a look at one that takes nothing from it."""
