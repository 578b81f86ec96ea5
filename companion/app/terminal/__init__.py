"""Calibration and bench tests at a terminal: questions, typed answers, and plots made of letters."""
