"""What all tests share: nothing but how property tests are run."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("house", deadline=None, database=None, derandomize=True)
settings.load_profile("house")
