"""Charts that the server renders as SVG: lines, bars, intervals, and the ring's readings."""
