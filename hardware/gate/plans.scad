// Plans seen from above that several parts share: the lane, the gate's outline, the ring's.
include <sizes.scad>

foot = cup + roof; // of the turret
turret_skin = 2;

module lane_plan() {
    far = exit_x + 20;
    wide = lane_w / 2 + tan(funnel) * (funnel_long + 20);
    mouth = ring_in + funnel_long;
    polygon([[mouth - 40, lane_w / 2], [far, lane_w / 2], [far, -lane_w / 2], [mouth, -lane_w / 2],
             [mouth - funnel_long - 20, -wide], [mouth - 40, -wide]]);
}

module block_plan() {
    translate([ring_out + slack / 2 - 8, left]) square([exit_x - ring_out - slack / 2 + 8, right - left]);
}

// The gate's outline: outside the ring, and where it goes through the ring's wall.
module gate_outline() {
    difference() {
        block_plan();
        circle(r = ring_out + slack / 2, $fn = round_fn);
    }
    spigot_plan(slack / 2);
}

// The part of the gate in the ring's wall, from *foot_z* up. Its top rises outwards, otherwise it would be printed over air.
module spigot_solid(foot_z, more = 0) {
    intersection() {
        translate([20, spigot[0], foot_z]) cube([60, spigot[1] - spigot[0], 60]);
        rotate(-30) rotate_extrude(angle = 60, $fn = round_fn) polygon([[ring_in - 2, foot_z], [ring_out + 2, foot_z], [ring_out + 2, spigot_top + more],
            [ring_out, spigot_top + more], [ring_in, spigot_inner + more], [ring_in - 2, spigot_inner + more]]);
    }
}

module spigot_plan(less = 0) {
    intersection() {
        difference() {
            circle(r = ring_out + 1, $fn = round_fn);
            circle(r = ring_in, $fn = round_fn);
        }
        translate([20, spigot[0] + less]) square([60, spigot[1] - spigot[0] - 2 * less]);
    }
}

// The parts on both sides of the lane, with rounded edges; the outline's other corners are sharp, as other parts meet them.
module lane_walls() {
    difference() {
        gate_outline();
        translate([0, spigot[0] + 1.5]) square([200, spigot[1] - spigot[0] - 3]);
    }
    difference() {
        block_plan();
        translate([0, -lane_w / 2 - lip - 0.5]) square([200, lane_w + 2 * lip + 1]);
        circle(r = ring_out + 8, $fn = round_fn);
    }
    intersection() {
        offset(r = lip) offset(delta = -lip) difference() {
            union() {
                gate_outline();
                intersection() {
                    difference() {
                        circle(r = ring_out + 8, $fn = round_fn);
                        circle(r = ring_in, $fn = round_fn);
                    }
                    translate([20, -40]) square([80, 80]);
                }
            }
            lane_plan();
        }
        gate_outline();
        translate([0, spigot[0]]) square([200, spigot[1] - spigot[0]]);
    }
}

// The ring's outline with the lift switch's shaft at its back.
module outline(grow = 0) {
    circle(r = ring_out + grow, $fn = round_fn);
    offset(r = 1.5) offset(delta = -1.5) translate([-ring_out - pod[0] - grow, -pod[1] / 2 - grow])
        square([pod[0] + 12, pod[1] + 2 * grow]);
}
