"""Pictures of what is measured, drawn on the server: the ring's readings, and lines and bars over an axis."""
