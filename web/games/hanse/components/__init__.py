"""Parts that several pages of Die Kosmische Hanse share."""
