"""The smallest whole game: rules in one folder, pages in another, dice, and nothing of a ring, a board or a reveal."""
