"""The big screen of a game, for a television or a stream."""
