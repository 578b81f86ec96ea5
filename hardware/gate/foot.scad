// The lift switch's foot: it rests on the table below the switch's lever, and wears when the ring slides. Print it on its side.
include <sizes.scad>

module foot() {
    deep = s2[0][1] + 2 * fit - 0.4;
    r = foot_wide / 2;
    translate([-ring_out - fit - (s2[0][1] + 2 * fit) / 2 - deep / 2, foot_y, 0]) rotate([90, 0, 90]) linear_extrude(deep) union() {
        translate([0, r]) circle(r = r);
        translate([-r, r]) square([foot_wide, foot_top - r]);
        translate([-foot_collar / 2, foot_top - 1.5]) square([foot_collar, 1.5]);
    }
}

foot();
