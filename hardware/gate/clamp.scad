// The cable's clamp: shuts the way out of the turret below the cable and holds it, pressed up by the ring's roof. Print it standing.
include <plans.scad>

squeeze = 0.5;

module clamp() {
    back = -ring_out - pod[0];
    high = cable_top - cable / 2 - foot - 0.1;
    difference() {
        translate([0, 0, foot + 0.1]) {
            translate([back - 0.5, -cable_way / 2 + 0.2, 0]) cube([4, cable_way - 0.4, high]);
            for (x = [back - slack - 2, back + turret_skin + slack]) translate([x, -cable_way / 2 - 1.5, 0]) cube([x < back ? 2 : 1.6, cable_way + 3, high]);
        }
        translate([back + turret_skin, -3.2, usb_z - 2]) cube([10, 6.4, 20]); // what keeps the cable from kinking may reach in here
        translate([back - 10, 0, cable_top - cable / 2 + squeeze]) rotate([0, 90, 0]) cylinder(d = cable, h = 20);
    }
}

clamp();
