"""Every page on one sheet, in all that it may wear: looked through by people, and by axe-core at the same time."""
