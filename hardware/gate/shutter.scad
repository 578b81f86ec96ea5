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

module grip(y) { // for the thumb, only below the plate, so that the plate's top is flat on the printer's bed
    w = shoulder_x1 - shutter_x0;
    for (i = [0 : 2]) translate([shutter_x0, y + 3.2 * i, 1.6]) cube([w, 1.6, shutter_top - 1.6]);
    translate([shutter_x0 + w / 2 - 1, y, 1.6]) cube([2, 8, shutter_top - 1.6]);
}

module ramp() { // lifts the switch's plunger when the shoulder comes under it
    deep = 1;
    translate([shutter_x1 + 0.4, 0, 0]) rotate([90, 0, 90]) linear_extrude(plunger[0] + s1[3][0] / 2 + 0.3 - shutter_x1 - 0.4)
        polygon([[shoulder_y - 1, shutter_top + 1], [shoulder_y + deep, shutter_top + 1], [shoulder_y + deep, shutter_top],
                 [shoulder_y, shutter_top - deep], [shoulder_y - 0.01, shutter_top - deep], [shoulder_y - 0.01, shutter_top + 1]]);
}

shutter();
