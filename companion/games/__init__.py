"""The games on the shelf: one folder of pure rules each."""
