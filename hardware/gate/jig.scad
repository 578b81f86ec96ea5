// The bench jig: a table for the gate alone, with a piece of the ring's wall to hold it and a groove for the pusher. Print it flat.
include <sizes.scad>

thick = 4;
long = 96;   // in front of the lane's mouth

module seat() { // a piece of the ring's wall, with the opening for the gate
    intersection() {
        difference() {
            cylinder(r = ring_out, h = spigot_top - 1, $fn = round_fn);
            translate([0, 0, -1]) cylinder(r = ring_in, h = 50, $fn = round_fn);
            translate([20, spigot[0], -1]) cube([60, spigot[1] - spigot[0], 50]);
        }
        translate([20, left - 4, 0]) cube([60, right - left + 8, 50]);
    }
}

module base() {
    y = max(-left, right) + 6;
    translate([ring_in - long, -y, -thick]) cube([long + exit_x - ring_in + 26, 2 * y, thick]);
}

module stops() { // behind the gate, clear of the lane and of the shutter
    for (y = [left, right - 5]) translate([exit_x + slack, y, 0]) cube([4, 5, 5]);
}

module rails() {
    translate([ring_in - long, -9.3, 0]) cube([long - 26, 4, 3.2]);
    translate([ring_in - long, 5.3, 0]) cube([long - 26, 8, 3.2]);
}

module scale() { // a line for each millimetre next to the pusher, longer ones every 5 and 10, the longest at 0
    zero = spot_x - edge / 2 - jig_reach;
    for (i = [-24 : 24]) {
        tick = i == 0 ? 7 : i % 10 == 0 ? 4.5 : i % 5 == 0 ? 3.2 : 1.8;
        translate([zero + i - 0.15, 5.2, 2.8]) cube([0.3, tick + 0.1, 1]);
    }
}

module jig() {
    difference() {
        union() {
            base();
            translate([0, 0, -0.1]) seat();
            stops();
            rails();
        }
        scale();
    }
}

jig();
