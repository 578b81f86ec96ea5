"""The rules on cards, in our own words."""
