// All dimensions of the ring in one place, in millimetres. The table is z = 0; cubes leave along +x; the ring's axis is z.
// Set `edge` (8 or 10) and, if your ring or your parts differ, the settings below it. Nobody has printed this yet.

edge = 8;            // a cube's edge
inner = 94;          // the ring's inner diameter, 90 to 96
felt = 0.4;          // felt under the rim, 0.3 to 0.5: all printed parts end this far above the table

// Bought parts by name; bought.scad has the source of each, and other parts can be added there.
sensor_board = "Adafruit 1334";
gate_switch = "D2F";       // S1, a pin plunger
lift_switch = "SS-5GL";    // S2, a hinge lever

include <bought.scad>

board_size = named(boards, sensor_board)[0];  // along the lane, across it
board_thick = named(boards, sensor_board)[1];
board_parts = named(boards, sensor_board)[2]; // room for the parts on its face
chip = named(boards, sensor_board)[3];        // the sensor from the board's middle: outwards along the lane, to the right
pins_at = named(boards, sensor_board)[4];     // the edge with its pins: "side", the right, or "end", towards the exit
s1 = named(switches, gate_switch);
s2 = named(switches, lift_switch);
led = 3.2;           // hole for 3 mm emitters, receivers and the lamp
led_barrel = 4.2;    // of an emitter or receiver, from its tip to its collar
perfboard = [70, 50];
perfboard_holes = [66, 46];
pico_x = 5.08;         // the Pico's middle on its board: a straight plug has room behind it
cable = 3.8;         // thickness of the cable in the clamp: USB, or 7 for the bundle to a Pi's header

wall = 3;
roof = 4;
cup = 32;            // from the table to the roof's inner face
turret = 24;         // the turret's height without its lid
slack = 0.3;         // between parts that move or meet

// The lane is wider than a cube's diagonal, so that no cube jams; narrower than two cubes; and too low for a cube to tip over.
lane_w = 1.35 * edge + 1.7;
lane_h = 1.25 * edge - 0.5;
assert(lane_w > edge * sqrt(2) && lane_w < 2 * edge, "the lane's width must lie between a cube's diagonal and two edges");
assert(lane_h >= edge + 1 && lane_h < edge * sqrt(2), "the lane's height must lie between an edge + 1 mm and a cube's diagonal");
assert(inner >= 90 && inner <= 96, "the ring's inner diameter must be 90 to 96 mm");
assert(abs(chip[0]) <= 3 && abs(chip[1]) <= 1, "the sensor must sit within 3 mm of its board's middle along the lane, 1 mm across");
assert(s1[5] == "pin" && s2[5] == "lever", "the gate's switch is one with a pin plunger, the lift switch one with a lever");
assert(felt >= 0.3 && felt <= 0.5, "the felt must be 0.3 to 0.5 mm thick");

funnel = 40;         // degrees, on one side only: two equal sides would hold an arch of cubes
funnel_long = 5;
lip = 3;             // radius of the lane's edges

ring_in = inner / 2;
ring_out = ring_in + wall;
fit = 0.2;                              // around bought parts in a pocket
spot_x = ring_out + 1 + board_size[0] / 2 + fit + chip[0]; // the sensor looks down here, between the beams
board_at = [spot_x - chip[0], -chip[1]];  // the board's middle
beam_gap = edge / 2;
beam_a = spot_x - beam_gap / 2;
beam_b = spot_x + beam_gap / 2;
beam_z = 0.45 * edge;
slit = 1.5;                             // width of a beam
led_wall = 1.5;                         // left between the lane and an emitter or receiver
leads_y = lane_w / 2 + led_wall + led_barrel; // where bores end and the room for legs begins
leads_top = beam_z + 2.1;

deck = lane_h + 10.5 + 0.7 * max(0, board_size[1] / 2 - 10.4); // top of the gate, under the sensor board; a wide board is above the lamp
sensor_z = deck - board_thick - 0.65;   // the sensor's own face
tube = 2.4;                             // hole it looks through: a spot of 3 mm on a cube's top
lamp_lean = 55;                         // degrees from the vertical: gloss does not reach the sensor
lamp_far = 16.5;                        // from the spot to the lamp's collar

shutter_top = edge - 0.2;               // as high as a cube's top, so that white is read where cubes are
shutter_thick = 1.2;
shutter_play = 0.3;                     // its total vertical play in its slot
shutter_x0 = beam_a - 2.25;
shutter_x1 = beam_b + 1;                // in the lane; the shoulder beside the lane is wider
slot_z0 = shutter_top - shutter_thick;  // the shutter rests on this
slot_z1 = shutter_top + shutter_play;

// The gate switch is above the shutter's shoulder, and its height can be adjusted: plungers vary by 0.3 to 0.5 either way.
m2_long = 10;                           // of the switches' screws; a nut is 1.6 high
nut_room = 2.1;
plunger = [shutter_x1 + 2.2, max(lane_w / 2 + 9.9, board_at[1] + board_size[1] / 2 + fit + 1 + nut_room + fit + s1[0][1] / 2)];
s1_middle = plunger[0] - s1[4];         // of its body along the lane
s1_gap = [0.1, 0.9];                    // from the closed shutter to the switch's face: the range of adjustment
s1_drawn = s1[2][1] - s1[1][1] - 0.6 * s1[2][3]; // where it is drawn: pressed a little beyond its click
s1_hole_z = shutter_top + s1_drawn + s1[1][1];
s1_bearing = m2_long - 1.9 - 2 * fit - s1[0][1]; // thickness of the wall under its screws' heads
s1_ends = [s1_middle - s1[0][0] / 2 - fit, s1_middle + s1[0][0] / 2 + fit];
s1_sides = [plunger[1] - s1[0][1] / 2 - fit, plunger[1] + s1[0][1] / 2 + fit];
assert(s1_bearing >= 1, "the gate switch is too thick for its screws: make m2_long 12");

stop = [shutter_x1 + 4.8, lane_w / 2 + 4.8];    // the screw that stops the shutter when it is closed or open
stop_r = 1;
stop_long = 6;
stop_head = slot_z1 + 0.4 - stop_long;  // it is sunk into the gate's underside up to here
shoulder_x1 = stop[0] + 1.9;
shoulder_y = stop[1] + stop_r + 0.2;
ear_y1 = -lane_w / 2 + 2.7;
travel = stop[1] - stop_r - ear_y1;
exit_x = max(shoulder_x1 + 6, board_at[0] + board_size[0] / 2 + fit + 2, s1_ends[1] + 2);

left = -(lane_w / 2 + 11);              // the gate's sides
right = s1_sides[1] + s1_bearing + 1.9; // deep enough for the heads of the switch's screws
spigot = [left, lane_w / 2 + 5.5]; // the part of the gate that goes through the ring's wall
spigot_top = lane_h + 3.4;         // at the ring's outer side, and
spigot_inner = lane_h + 1.2;       // at its inner one
gate_screws = [for (y = [-11, max(13.2, lane_w / 2 + 6.5)]) [y, lane_h + 6.6]];
duct = [gate_screws[1][0] + 2.3, gate_screws[1][0] + 5.9]; // between these the right side's wires go up, behind the gate
duct_deep = 3.2;
duct_top = 3.2;                         // of the channel below that leads there
groove_y = left + 2.65;                 // the left side's wires go up outside of this, from their legs' room to the hood
hood_screw = [ring_out + 2.8, 5.6];
hood_foot = lane_h + 2.8;
hood_top = cup + roof + 10;

// The lift switch is in a shaft at the back; a foot below it protects it from the table and lifts its lever.
pod_wall = m2_long - 1.7 - 2 * fit - s2[0][1];
s2_half = max(s2[0][0] / 2, 0.6 - s2[4]) + fit; // of the shaft: a lever may be longer than its switch
pod = [fit + s2[0][1] + 2 * fit + pod_wall, 2 * s2_half + 4];
pod_floor = felt + 2;
foot_drop = 2.5;                        // of the foot when the ring is lifted
foot_top = pod_floor + foot_drop + 1.5; // of the foot when the ring is on the table
s2_hole_z = foot_top + s2[2][1] - 0.5;  // half a millimetre beyond its click
s2_set = s2[2][2] + 0.2;                // either way
foot_wide = 3.4;                        // of the foot's stem, and
foot_collar = 6;                        // of the collar that keeps it in
foot_y = max(s2[4] + 1.3, foot_collar / 2 + 0.3 - s2_half); // below the lever's end, a little inside
assert(pod_wall >= 1, "the lift switch is too thick for its screws: make m2_long 12");
usb_z = cup + roof + 5;                 // of the Pico's plug
cable_top = usb_z + 4.5;                // of the opening for it, which is open downwards
cable_way = 11.4;
bootsel = [pico_x - 12.75, 3];          // of the Pico's button, behind a hole in the roof
jig_reach = 70; // from the pusher's line to its front: at 0 on the jig's scale the cube's middle is under the sensor
posts = [for (a = [60, 120, 240, 300]) [(ring_in - 4.5) * cos(a), (ring_in - 4.5) * sin(a)]];

$fn = 32;
round_fn = 128;

// Diameters for M3 and M2 screws: in *thread* they cut their own thread, through *free* they pass.
m3_thread = 2.6;
m3_free = 3.4;
m3_head = 6.4;
m2_thread = 1.7;
m2_free = 2.3;
m2_head = 4.4;
m2_nut = 4.3;        // across the flats, with a little room
