"""Every page in every look on one sheet, checked by people and by axe-core."""
