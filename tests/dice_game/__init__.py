"""The smallest complete game: rules in one folder, pages in another; it has dice, but no ring, board or reveal."""
