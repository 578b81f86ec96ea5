// The ring: an upside-down cup with an opening for the gate and a shaft for the lift switch. Print it on its roof.
include <plans.scad>

back = -ring_out - fit; // the inner side of the lift switch's shaft
deep = s2[0][1] + 2 * fit;

module shaft() {
    translate([back - deep, -s2_half]) square([deep, 2 * s2_half]);
}

module ring() {
    difference() {
        translate([0, 0, felt]) linear_extrude(cup + roof - felt) outline();
        translate([0, 0, -1]) cylinder(r = ring_in, h = cup + 1, $fn = round_fn);
        translate([0, 0, pod_floor]) linear_extrude(cup + roof) shaft();
        translate([back - deep, foot_y - foot_wide / 2 - slack, -1]) cube([deep, foot_wide + 2 * slack, pod_floor + 2]);
        spigot_solid(-1, slack / 2);
        for (s = gate_screws) gate_screw(s);
        for (p = posts) translate([p[0], p[1], cup - 1]) post_screw();
        lift_screws();
        translate([bootsel[0], bootsel[1], cup - 1]) cylinder(d = 4, h = roof + 2); // a pen reaches the Pico's button from inside the cup
    }
}

module gate_screw(s) {
    x = sqrt(ring_in * ring_in - s[0] * s[0]);
    translate([x - 0.5, s[0], s[1]]) rotate([0, 90, 0]) {
        cylinder(d = m3_free, h = 12);
        translate([0, 0, -3]) cylinder(d = m3_head, h = 4.2);
        translate([0, 0, 1.2]) cylinder(d1 = m3_head, d2 = m3_free, h = 1.6);
    }
}

module post_screw() {
    cylinder(d = m3_free, h = roof + 2);
    cylinder(d = m3_head, h = 1.2);
    translate([0, 0, 1.2]) cylinder(d1 = m3_head, d2 = m3_free, h = 1.6);
}

module lift_screws() { // slots for the screws and grooves for their nuts, so that the switch can be adjusted to click when the ring is set down
    for (y = [-1, 1]) translate([0, y * s2[1][0] / 2, 0]) {
        hull() for (d = [-s2_set, s2_set]) translate([-ring_out - pod[0] - 1, 0, s2_hole_z + d]) rotate([0, 90, 0])
            cylinder(d = m2_free, h = pod_wall + 2);
        low = s2_hole_z - s2_set - m2_nut / 2 - 0.2;
        translate([back - 1, -m2_nut / 2, low]) cube([1 + 1.8, m2_nut, cup + roof + 1 - low]);
    }
}

ring();
