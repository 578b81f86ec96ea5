"""Before the first turn: a new game, the goods, who begins where."""
