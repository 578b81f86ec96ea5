"""Parts that several pages of the wreck share."""
