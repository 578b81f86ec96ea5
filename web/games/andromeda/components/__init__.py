"""Parts that several pages of Andromeda share."""
