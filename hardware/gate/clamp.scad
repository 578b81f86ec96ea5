// The cable clamp: closes the turret's opening below the cable and holds the cable; the ring's roof presses it up. Print it upright.
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
        translate([back + turret_skin, -3.2, usb_z - 2]) cube([10, 6.4, 20]); // room for the cable's strain relief
        translate([back - 10, 0, cable_top - cable / 2 + squeeze]) rotate([0, 90, 0]) cylinder(d = cable, h = 20);
    }
}

clamp();
