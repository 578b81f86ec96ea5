"""Power cuts: evenings on a file system that forgets what was not synced, cut at any moment and begun again."""
