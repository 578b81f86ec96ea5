"""Games that play themselves: one to be watched, thousands to be checked."""
