"""All drawings of the ring, made from their sources: printed parts, pictures, circuit, wiring and parts list."""
