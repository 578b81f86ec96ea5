"""What belongs to one request: the house it has come to, who asks, and whether they may."""
