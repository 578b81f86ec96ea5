"""`companion ring`: look at a ring, or be one."""
