"""A turn and what interrupts it: flights, planet actions, cards, answers, goods turned over, corrections."""
