// The hood: keeps the room's light off the sensor and the exit, and leads the wires into the turret. Print it on its top.
include <sizes.scad>

skin = 2;
brow = 13;

module profile(less = 0) { // along the lane
    polygon([[30, hood_foot - (less ? 1 : 0)], [30, hood_top - less], [spot_x + 2, hood_top - less],
             [exit_x + brow - less, hood_foot + 2 - less * 0.5], [exit_x + brow - less, hood_foot - (less ? 1 : 0)]]);
}

module along(y0, y1) {
    translate([0, y1, 0]) rotate([90, 0, 0]) linear_extrude(y1 - y0) children();
}

module hood() {
    y0 = left - slack - skin;
    y1 = right + slack + skin;
    difference() {
        union() {
            difference() {
                along(y0, y1) profile();
                along(y0 + skin, y1 - skin) profile(skin);
            }
            rib();
            for (y = [y0, y1 - skin]) translate([hood_screw[0] - 3.6, y, hood_screw[1] - 4]) cube([7.2, skin, hood_foot - hood_screw[1] + 8]);
        }
        translate([0, 0, -1]) cylinder(r = ring_out + slack, h = 100, $fn = round_fn);
        translate([hood_screw[0], y0 - 1, hood_screw[1]]) rotate([-90, 0, 0]) cylinder(d = m3_free, h = y1 - y0 + 2);
    }
}

module rib() { // presses the sensor board down, through 2 mm of foam
    for (y = [-8, 3.4]) translate([board_at[0] - 7.2, y, deck + 2]) cube([9.5, 1.6, hood_top - deck - 3]);
}

hood();
