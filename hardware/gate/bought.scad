// Bought parts by name, with their makers' figures; each source is next to its figures. No part was measured.

function named(table, name) =
    let (found = [for (line = table) if (line[0] == name) line])
    assert(len(found) == 1, str("unknown: ", name, "; known are ", [for (line = table) line[0]]))
    [for (i = [1 : len(found[0]) - 1]) found[0][i]];

// Sensor boards: [along the lane, across it], thickness, room for parts on the face, [sensor from the middle], edge of the pins.
boards = [
    // outline 20.32 square, sensor 10.46 and 10.00 from its corner, pads 1.52 from the edge: Adafruit's own board file.
    // Its lamp is a PLCC-2 of 1.9 mm.
    ["Adafruit 1334", [20.44, 20.32], 1.6, 2.1, [0.30, 0.16], "side"],
    // 27 by 20 by its maker's page, which does not say where the sensor is: measure it
    ["Waveshare", [27, 20], 1.6, 2.1, [0, 0], "end"],
    // 30.5 by 23 by its maker's page, CQRSENYS001, which does not say where the sensor is: measure it
    ["CQRobot", [30.5, 23], 1.6, 2.1, [0, 0], "end"],
];

// Microswitches, their plunger or lever down: [length, thickness, height], [holes apart, a hole to the face, a hole's diameter],
// [positions of the plunger or lever: free at most, operating, its tolerance, overtravel at least, differential],
// [plunger along and across the body, or the lever's width], where it is pressed from the body's middle, kind,
// [terminals from the middle], [terminals' length, width].
switches = [
    // D2F data sheet, page 4: OP 5.5 +-0.3 from the holes, PT 0.5 at most, OT 0.25 at least, 1.47 N, D2F-F 0.74 N; body 12.8 by 5.8 by 6.5
    ["D2F", [12.8, 5.8, 6.5], [6.5, 4.9, 2.0], [6.3, 5.5, 0.3, 0.25, 0.12], [1.2, 2.9], 1.95, "pin", [-5.08, 0, 5.08], [3.3, 0.9]],
    // SS data sheet, page 5: OP 8.4 +-0.5, PT 0.5, OT 0.5, 1.47 N, SS-5-F 0.49 N; body 19.8 by 6.4 by 10.2, holes 9.5 apart
    ["SS-5", [19.8, 6.4, 10.2], [9.5, 7.7, 2.35], [9.4, 8.4, 0.5, 0.5, 0.1], [2, 3.2], 2.75, "pin", [-8.05, 0.75, 8.05], [6.4, 3.2]],
    // the same with levers: D2F-FL 0.25 N, FP 10 at most, OP 6.8 +-1.5, OT 0.55, MD 0.5
    ["D2F-L", [12.8, 5.8, 6.5], [6.5, 4.9, 2.0], [10, 6.8, 1.5, 0.55, 0.5], [0.3, 3], -7.55, "lever", [-5.08, 0, 5.08], [3.3, 0.9]],
    // SS-5GL-F and SS-01GL-F 0.16 N, FP 13.6 at most, OP 8.8 +-0.8, OT 1.2, MD 0.8
    ["SS-5GL", [19.8, 6.4, 10.2], [9.5, 7.7, 2.35], [13.6, 8.8, 0.8, 1.2, 0.8], [0.3, 3.6], -9.75, "lever", [-8.05, 0.75, 8.05], [6.4, 3.2]],
];
