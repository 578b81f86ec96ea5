// The gate: lane, beams, sensor deck, the shutter's slot and its switch. Print it on its deck, the lane upwards.
include <plans.scad>

module body_section() { // across the lane: a slope where the lamp comes in
    lean = lamp_lean;
    slope = function (z) -(lamp_far - (z - edge) * cos(lean)) / sin(lean);
    turn = edge + (lamp_far + left * sin(lean)) / cos(lean);
    polygon([[left, felt], [right, felt], [right, deck], [slope(deck), deck], [left, turn]]);
}

module solid() {
    intersection() {
        union() {
            translate([0, 0, lane_h]) linear_extrude(deck - lane_h) difference() {
                block_plan();
                circle(r = ring_out + slack / 2, $fn = round_fn);
            }
            translate([0, 0, lane_h]) linear_extrude(spigot_top - lane_h) gate_outline();
            translate([0, 0, felt]) linear_extrude(lane_h - felt) lane_walls();
        }
        translate([200, 0, 0]) rotate([90, 0, -90]) mirror([1, 0, 0]) linear_extrude(400) body_section();
    }
}

// An emitter or a receiver at the lane's side (+1 or -1): a slit towards the lane, a seat from outside.
module eye(x, side) {
    front = lane_w / 2 + led_wall;
    translate([x - slit / 2, side > 0 ? 0 : -front - 0.01, beam_z - 1]) cube([slit, front + 0.01, 2]);
    translate([x, side * front, beam_z]) rotate([-side * 90, 0, 0]) cylinder(d = led, h = led_long);
}

module leads(side) {
    y0 = lane_w / 2 + led_wall + led_long - 0.5;
    y1 = (side > 0 ? right : -left) + 1;
    top = beam_z + led / 2;
    translate([beam_a - 3, side > 0 ? y0 : -y1, 0]) cube([beam_gap + 6, y1 - y0, top]);
}

module sensor_seat() {
    translate([spot_x - chip - board / 2, -board / 2, deck - board_thick]) cube([board, board, 10]);
    inset = 1.5;
    translate([spot_x - chip - board / 2 + inset, -board / 2 + inset, deck - board_thick - board_parts])
        cube([board - 2 * inset, board - 2 * inset, 10]);
    translate([spot_x, 0, lane_h - 1]) cylinder(d = tube, h = deck);
}

module lamp_seat() {
    translate([spot_x, 0, edge]) rotate([lamp_lean, 0, 0]) {
        cylinder(d = 2.6, h = 20);
        translate([0, 0, lamp_far - 4.5]) cylinder(d = led, h = 12);
    }
}

module shutter_slot() {
    translate([shutter_x0 - slack, -lane_w / 2 - 1, slot_z0])
        cube([shutter_x1 - shutter_x0 + 2 * slack, lane_w + 1, slot_z1 - slot_z0]);
    translate([shutter_x0 - slack, lane_w / 2 - 0.01, slot_z0])
        cube([shoulder_x1 - shutter_x0 + 2 * slack, 40, slot_z1 - slot_z0]);
    translate([shutter_x1, -lane_w / 2, slot_z0]) cube([shoulder_x1 - shutter_x1 + slack, lane_w, slot_z1 - slot_z0]);
    translate([stop[0], stop[1], 0]) cylinder(d = m2_thread, h = slot_z1 + 6);
}

module switch_seat() {
    floor_z = slot_z1 + 0.8;
    translate([plunger[0] - switch[0] / 2, plunger[1] - switch[1] / 2, floor_z]) cube([switch[0], switch[1], 40]);
    translate([plunger[0] - 3, plunger[1] - 1.25, slot_z0]) cube([6, 2.5, 5]);
    for (x = [-1, 1]) translate([plunger[0] + x * switch_holes / 2, plunger[1] - 6, floor_z + 1.6])
        rotate([-90, 0, 0]) cylinder(d = m2_thread, h = 30);
}

module screws() {
    for (s = gate_screws) translate([ring_out - 3, s[0], s[1]]) rotate([0, 90, 0]) cylinder(d = m3_thread, h = 11);
    for (y = [left - 1, right - 9]) translate([hood_screw[0], y, hood_screw[1]]) rotate([-90, 0, 0])
        cylinder(d = m3_thread, h = 10);
}

module gate() {
    difference() {
        solid();
        for (side = [-1, 1]) {
            eye(beam_a, side);
            eye(beam_b, side);
            leads(side);
        }
        sensor_seat();
        lamp_seat();
        shutter_slot();
        switch_seat();
        screws();
    }
}

gate();
