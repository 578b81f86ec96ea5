"""How well colours and passages are recognised, tried on the simulated world."""
