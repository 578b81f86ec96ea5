"""Pictures of what a ring measures."""
