"""Everything that is drawn of the ring, from its sources: parts to print, pictures, circuit, wiring, parts list."""
