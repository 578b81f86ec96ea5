"""The figures by which this code is held together: who imports whom, how long things are, how much is said of why."""
