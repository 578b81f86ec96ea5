"""Whether pages offer what the rules accept, and nothing else: walked at random positions, for everybody who looks."""
