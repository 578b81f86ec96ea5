"""A ring as its host has it: one device, the thread that reads it, and what the house sees of it."""
