// The ring: an upturned cup with a way out for the gate and a shaft for the lift switch. Print it on its roof.
include <plans.scad>

module shaft() {
    translate([-ring_out - 0.2 - switch[1], -switch[0] / 2]) square([switch[1], switch[0]]);
}

module ring() {
    difference() {
        translate([0, 0, felt]) linear_extrude(cup + roof - felt) outline();
        translate([0, 0, -1]) cylinder(r = ring_in, h = cup + 1, $fn = round_fn);
        translate([0, 0, -1]) linear_extrude(cup + roof + 2) shaft();
        translate([0, 0, -1]) linear_extrude(spigot_top + slack / 2 + 1) spigot_cut();
        for (s = gate_screws) gate_screw(s);
        for (p = posts) translate([p[0], p[1], cup - 1]) post_screw();
        lift_screws();
    }
}

module spigot_cut() {
    translate([20, spigot[0]]) square([60, spigot[1] - spigot[0]]);
}

module gate_screw(s) {
    x = sqrt(ring_in * ring_in - s[0] * s[0]);
    translate([x - 1, s[0], s[1]]) rotate([0, 90, 0]) {
        cylinder(d = m3_free, h = 12);
        cylinder(d = m3_head, h = 1.2);
        translate([0, 0, 1.2]) cylinder(d1 = m3_head, d2 = m3_free, h = 1.6);
    }
}

module post_screw() {
    cylinder(d = m3_free, h = roof + 2);
    cylinder(d = m3_head, h = 1.2);
    translate([0, 0, 1.2]) cylinder(d1 = m3_head, d2 = m3_free, h = 1.6);
}

module lift_screws() { // slots, so that the switch can be set to click when the ring stands
    for (y = [-1, 1]) translate([-ring_out - pod[0] - 1, y * switch_holes / 2, 5]) rotate([0, 90, 0])
        hull() for (d = [-1, 1]) translate([d, 0, 0]) cylinder(d = m2_free, h = 4);
}

ring();
