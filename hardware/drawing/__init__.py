"""Everything that is drawn of the ring, made from its sources: printable parts, pictures, circuit, wiring, parts list."""
