"""Measures in the simulated world how well colours and passages are recognised."""
