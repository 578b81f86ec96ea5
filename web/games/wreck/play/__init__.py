"""A round at the table: the roll, the offers, the turns."""
