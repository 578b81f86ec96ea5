"""`companion firmware`: build it, put it on a board, go back."""
