"""The seams to devices, owned by the companion: with the kernel, all that the bridge knows of it."""
