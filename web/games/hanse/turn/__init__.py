"""The pages of a turn: flights, planet actions, interventions and their answers, turning goods over, corrections."""
