// The shutter: a white plate that slides across the lane above the beams, as high as a cube's top. Print it top down, in matt white.
include <sizes.scad>

module shutter() {
    z = shutter_top - shutter_thick;
    back = -lane_w / 2 - 0.7;
    grip = right + 0.6;
    difference() {
        union() {
            translate([shutter_x0, back, z]) cube([shutter_x1 - shutter_x0, grip + 9 - back, shutter_thick]);
            translate([shutter_x0, shoulder_y, z]) cube([shoulder_x1 - shutter_x0, grip + 9 - shoulder_y, shutter_thick]);
            translate([shutter_x1 - 1, -lane_w / 2 + 0.2, z]) cube([stop[0] + 1.6 - shutter_x1 + 1, ear_y1 + lane_w / 2 - 0.2, shutter_thick]);
            grip(grip);
        }
        ramp();
    }
}

module grip(y) { // for the thumb, below the plate only: the plate's top stays flat on the printer's bed
    w = shoulder_x1 - shutter_x0;
    for (i = [0 : 2]) translate([shutter_x0, y + 3.2 * i, 1.6]) cube([w, 1.6, shutter_top - 1.6]);
    translate([shutter_x0 + w / 2 - 1, y, 1.6]) cube([2, 8, shutter_top - 1.6]);
}

module ramp() { // lifts the switch's plunger when the shoulder comes under it
    translate([shutter_x1 + 0.4, shoulder_y, shutter_top]) rotate([45, 0, 0]) cube([20, 0.9, 0.9], center = false);
    translate([shutter_x1 + 0.4, shoulder_y - 0.65, shutter_top - 0.01]) rotate([-45, 0, 0]) translate([0, -0.6, -0.6]) cube([20, 0.6, 1.2]);
}

shutter();
