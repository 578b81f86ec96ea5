// The jig's pusher: a tongue that runs below the beams and moves a cube to a known place. Print it flat.
include <sizes.scad>

tongue = 1.4;   // below the beams, whose lower edge is 1 mm under their middle
long = 110;

module pusher() {
    assert(tongue < beam_z - 1, "the pusher's tongue would block the beams");
    difference() {
        union() {
            cube_at([0, -5, 0], [long, 10, tongue]);
            cube_at([0, -5, 0], [16, 10, 10]);
        }
        translate([long - jig_reach - 0.15, 0, tongue - 0.5]) cube([0.3, 10, 2]); // the line to read against the jig's scale
        for (x = [4, 8, 12]) translate([x, -6, 9.2]) cube([1.2, 12, 2]);
    }
}

module cube_at(at, size) { translate(at) cube(size); }

pusher();
