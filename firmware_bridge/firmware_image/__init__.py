"""The firmware as files: built from its source, named and digested by a manifest."""
