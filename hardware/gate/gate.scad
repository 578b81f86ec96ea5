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
            intersection() {
                translate([0, 0, lane_h]) linear_extrude(spigot_top - lane_h) gate_outline();
                union() {
                    spigot_solid(0);
                    translate([0, 0, lane_h]) linear_extrude(60) difference() {
                        block_plan();
                        circle(r = ring_out + slack / 2, $fn = round_fn);
                    }
                }
            }
            translate([0, 0, felt]) linear_extrude(lane_h - felt) lane_walls();
        }
        translate([200, 0, 0]) rotate([90, 0, -90]) mirror([1, 0, 0]) linear_extrude(400) body_section();
    }
}

// An emitter or a receiver at the lane's side (+1 or -1): a slit towards the lane, a seat from outside.
module eye(x, side) {
    front = lane_w / 2 + led_wall;
    translate([x - slit / 2, side > 0 ? 0 : -front - 0.01, beam_z - 1]) cube([slit, front + 0.01, 2]);
    translate([x, side * front, beam_z]) rotate([-side * 90, 0, 0]) cylinder(d = led, h = led_barrel + 0.5);
}

module leads(side) { // room for collars and legs; the side's wires leave it upwards on the left, behind the gate on the right
    y1 = (side > 0 ? right : -left) + 1;
    translate([beam_a - 3, side > 0 ? leads_y : -y1, 0]) cube([beam_gap + 5.7, y1 - leads_y, leads_top]);
}

module left_groove() {
    translate([beam_a - 3, left - 1, 0]) cube([beam_gap + 5.7, groove_y - left + 1, deck]);
}

module right_duct() {
    width = duct[1] - duct[0];
    translate([30, duct[0], 0]) cube([beam_a - 30, width, duct_top]);
    translate([0, 0, -1]) linear_extrude(deck + 2) intersection() {
        circle(r = ring_out + slack / 2 + duct_deep, $fn = round_fn);
        translate([30, duct[0]]) square([40, width]);
    }
}

// The board rests on ledges, which its solder joints do not touch. On the lamp's side nothing below it is open to the lamp's bore.
module sensor_seat() {
    ledge = 1.4 + 2 * fit;
    size = [for (s = board_size) s + 2 * fit];
    x = [for (s = [-1, 1]) board_at[0] + s * (size[0] / 2 - (s > 0 && pins_at == "end" ? 0 : ledge))];
    y = [max(board_at[1] - size[1] / 2 + ledge, -8.7), board_at[1] + size[1] / 2 - (pins_at == "side" ? 0 : ledge)];
    translate([board_at[0] - size[0] / 2, board_at[1] - size[1] / 2, deck - board_thick]) cube([size[0], size[1], 10]);
    translate([x[0], y[0], deck - board_thick - board_parts]) cube([x[1] - x[0], y[1] - y[0], 10]);
    translate([spot_x, 0, lane_h - 1]) cylinder(d = tube, h = deck);
}

module lamp_seat() {
    translate([spot_x, 0, edge]) rotate([lamp_lean, 0, 0]) {
        cylinder(d = 2.6, h = 20);
        translate([0, 0, lamp_far - led_barrel]) cylinder(d = led, h = 12);
    }
}

module shutter_slot() {
    high = slot_z1 - slot_z0;
    translate([shutter_x0 - slack, -lane_w / 2 - 1, slot_z0]) cube([shutter_x1 - shutter_x0 + 2 * slack, lane_w + 1, high]);
    translate([shutter_x0 - slack, lane_w / 2 - 0.01, slot_z0]) cube([shoulder_x1 - shutter_x0 + 2 * slack, 40, high]);
    translate([shutter_x1, -lane_w / 2, slot_z0]) cube([shoulder_x1 - shutter_x1 + slack, lane_w, high]);
    translate([stop[0], stop[1], 0]) {
        cylinder(d = m2_thread, h = slot_z1 + 0.9);
        cylinder(d = m2_head, h = stop_head);
    }
}

// A pocket from the deck into the slot. Screws from the right pass through slots into nuts in grooves, so its height can be adjusted.
module switch_seat() {
    translate([s1_ends[0], s1_sides[0], slot_z0]) cube([s1_ends[1] - s1_ends[0], s1_sides[1] - s1_sides[0], 60]);
    low = shutter_top + s1_gap[0] + s1[1][1];
    high = shutter_top + s1_gap[1] + s1[1][1];
    for (x = [-1, 1]) translate([s1_middle + x * s1[1][0] / 2, 0, 0]) {
        translate([0, s1_sides[1] - 1, 0]) upright_slot(m2_free, low, high, 20);
        translate([0, right - 1.9, 0]) upright_slot(m2_head, low, high, 20);
        translate([-m2_nut / 2, s1_sides[0] - nut_room, low - m2_nut / 2 - 0.2]) cube([m2_nut, nut_room + 1, 60]);
    }
}

module upright_slot(d, low, high, deep) {
    hull() for (z = [low, high]) translate([0, 0, z]) rotate([-90, 0, 0]) cylinder(d = d, h = deep);
}

module screws() {
    for (s = gate_screws) translate([ring_out - 3, s[0], s[1]]) rotate([0, 90, 0]) cylinder(d = m3_thread, h = s[0] > 0 ? 7.2 : 8);
    for (y = [left - 1, right - 6]) translate([hood_screw[0], y, hood_screw[1]]) rotate([-90, 0, 0])
        cylinder(d = m3_thread, h = 7);
}

module gate() {
    difference() {
        solid();
        for (side = [-1, 1]) {
            eye(beam_a, side);
            eye(beam_b, side);
            leads(side);
        }
        left_groove();
        right_duct();
        sensor_seat();
        lamp_seat();
        shutter_slot();
        switch_seat();
        screws();
    }
}

gate();
