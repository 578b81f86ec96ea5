"""What is told of a game once it is over, whichever game it is: points, their course, time, luck, turning points."""
