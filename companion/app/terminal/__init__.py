"""Calibrating at the keyboard: the wizard's questions, what is typed, and pictures made of letters."""
