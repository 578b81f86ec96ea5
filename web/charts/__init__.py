"""Charts, rendered on the server as SVG: lines, bars, intervals, and the ring's readings."""
