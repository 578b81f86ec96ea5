"""Games that play themselves: a demo to watch, and thousands of games for testing the rules."""
