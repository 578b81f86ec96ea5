"""Calibration and bench tests at the keyboard: questions, typed answers, and plots made of letters."""
