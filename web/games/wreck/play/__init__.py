"""The pages of a round: the roll, the offers, the turns."""
