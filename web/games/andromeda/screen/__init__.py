"""What a room sees of the game: on a television, over a stream."""
