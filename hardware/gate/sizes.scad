// Every measure of the ring in one place, in millimetres. The table is z = 0; cubes leave along +x; the ring's axis is z.
// Set `edge` (8 or 10) and, if your ring or your parts differ, the settings below it. Nobody has printed this yet.

edge = 8;            // a cube's edge
inner = 94;          // the ring's inner diameter, 90 to 96
felt = 0.4;          // felt under the rim, 0.3 to 0.5: everything printed ends this much above the table

board = 20.5;        // edge of the square sensor board (to be checked before buying)
board_thick = 1.6;
board_parts = 1.5;   // height of what is soldered on its face
chip = 0;            // how far the sensor sits from the board's middle; turn the board so that this is along the lane, outwards
led = 3.2;           // hole for 3 mm emitters, receivers and the lamp
switch = [13.2, 6.2, 6.8]; // subminiature microswitch: length, thickness, height up to the plunger (to be checked)
switch_holes = 6.5;
perfboard = [70, 50];
perfboard_holes = [66, 46];

wall = 3;
roof = 4;
cup = 32;            // from the table to the roof's inner face
turret = 24;         // the turret's height without its lid
slack = 0.3;         // between parts that move or meet

// The rule of the lane: wider than a cube's diagonal, so that none jams; narrower than two cubes; too low to tip over in.
lane_w = 1.35 * edge + 1.7;
lane_h = 1.25 * edge - 0.5;
assert(lane_w > edge * sqrt(2) && lane_w < 2 * edge, "the lane's width must lie between a cube's diagonal and two edges");
assert(lane_h >= edge + 1 && lane_h < edge * sqrt(2), "the lane's height must lie between an edge + 1 mm and a cube's diagonal");
assert(inner >= 90 && inner <= 96, "the ring's inner diameter must be 90 to 96 mm");
assert(abs(chip) <= 3, "the sensor must sit within 3 mm of its board's middle");
assert(felt >= 0.3 && felt <= 0.5, "the felt must be 0.3 to 0.5 mm thick");

funnel = 40;         // degrees, on one side only: two equal sides would hold an arch of cubes
funnel_long = 5;
lip = 3;             // radius of the lane's edges

ring_in = inner / 2;
ring_out = ring_in + wall;
spot_x = ring_out + 1 + board / 2 + chip; // the sensor looks down here, between the beams
beam_gap = edge / 2;
beam_a = spot_x - beam_gap / 2;
beam_b = spot_x + beam_gap / 2;
beam_z = 0.45 * edge;
slit = 1.5;                             // width of a beam
led_wall = 1.5;                         // left between the lane and an emitter or receiver
led_long = 5.5;

deck = lane_h + 10.5;                   // top of the gate, where the sensor board lies
sensor_z = deck - board_thick - 0.8;    // the sensor's own face
tube = 2.4;                             // hole it looks through: a spot of 3 mm on a cube's top
lamp_lean = 55;                         // degrees from the vertical: gloss goes elsewhere than up
lamp_far = 16.5;                        // from the spot to the lamp's collar

shutter_top = edge - 0.2;               // as high as a cube's top, so that white is read where cubes are
shutter_thick = 1.2;
shutter_x0 = beam_a - 2.25;
shutter_x1 = beam_b + 1;                // in the lane; the shoulder beside the lane is wider
shoulder_x1 = shutter_x1 + 4;
slot_z0 = shutter_top - shutter_thick - slack;
slot_z1 = shutter_top + slack;
exit_x = max(shoulder_x1 + 6, spot_x - chip + board / 2 + 2);

left = -(lane_w / 2 + 11);              // the gate's sides
right = lane_w / 2 + 12.5;
plunger = [shutter_x1 + 1.9, lane_w / 2 + 7.9]; // of the gate switch, over the shutter's shoulder
stop = [shutter_x1 + 2.1, lane_w / 2 + 4.8];    // the screw that keeps the shutter: closed and open end at it
stop_r = 1;
shoulder_y = stop[1] + stop_r + 0.2;
ear_y1 = -lane_w / 2 + 2.7;
travel = stop[1] - stop_r - ear_y1;
spigot = [left, lane_w / 2 + 5.5]; // what of the gate goes through the ring's wall
spigot_top = lane_h + 2.5;
gate_screws = [for (y = [-12, 12]) [y, spigot_top + 3]];
hood_screw = [52.8, lane_h];
hood_foot = lane_h + 2.8;
hood_top = cup + roof + 10;
pod = [8.2, 17];                        // the lift switch's shaft at the back
jig_reach = 70; // from the pusher's line to its front: at 0 on the jig's scale the cube's middle is under the sensor
posts = [for (a = [60, 120, 240, 300]) [(ring_in - 4.5) * cos(a), (ring_in - 4.5) * sin(a)]];

$fn = 32;
round_fn = 128;

// Screws: M3 and M2 cut their own thread in these, and pass through those.
m3_thread = 2.6; m3_free = 3.4; m3_head = 6.4;
m2_thread = 1.7; m2_free = 2.3;
