// The turret: a lid over the ring that holds the board with the Pico, the pixel and the piezo. Print it on its lid.
include <plans.scad>

lid = 2.4;
skin = turret_skin;
post_long = 4;

module turret() {
    difference() {
        union() {
            shell();
            cable_pad();
            intersection() {
                inside();
                union() {
                    for (p = posts) translate([p[0], p[1], foot + 0.1]) cylinder(d = 8, h = turret);
                    board_posts() cylinder(d = 6, h = post_long + 1);
                }
            }
        }
        for (p = posts) translate([p[0], p[1], foot - 1]) cylinder(d = m3_thread, h = 13);
        board_posts() translate([0, 0, -1]) cylinder(d = m2_thread, h = post_long + 2);
        hood_window();
        cable();
        lights();
    }
}

module shell() {
    difference() {
        translate([0, 0, foot]) linear_extrude(turret + lid) outline();
        translate([0, 0, foot - 1]) linear_extrude(turret + 1) offset(delta = -skin) outline();
    }
}

module inside() {
    translate([0, 0, foot]) linear_extrude(turret + 1) offset(delta = -skin + 0.5) outline();
}

module board_posts() {
    for (x = [-1, 1], y = [-1, 1]) translate([x * perfboard_holes[0] / 2, y * perfboard_holes[1] / 2, foot + turret - post_long])
        children();
}

module hood_window() {
    translate([ring_in - 6, -8, foot + 2]) cube([12, 16, 6]);
}

module cable() { // the opening at the back: open downwards, so that the plug goes in; the clamp closes it
    translate([-ring_out - pod[0] - 1, -cable_way / 2, foot - 1]) cube([skin + 2, cable_way, cable_top - foot + 1]);
    translate([-ring_out - pod[0] - 1, 0, cable_top - cable / 2]) rotate([0, 90, 0]) cylinder(d = cable, h = 8);
}

module cable_pad() { // the pad that the clamp presses the cable against
    hull() for (at = [[2, 4], [0.1, 8]]) translate([-ring_out - pod[0] + skin - 0.1, -cable_way / 2 - 1.5, cable_top])
        cube([at[0] + slack, cable_way + 3, at[1]]);
}

module lights() {
    translate([ring_in - 10, 0, foot + turret - 1]) cylinder(d = 5.2, h = 6);
    for (a = [0 : 60 : 300]) translate([0, ring_in - 10, foot + turret - 1]) rotate(a) translate([3, 0, 0]) cylinder(d = 1.6, h = 6);
    translate([0, ring_in - 10, foot + turret - 1]) cylinder(d = 1.6, h = 6);
}

turret();
