"""Which pin does what; hardware/pins.toml says the same, and a test compares them."""

BEAM_A = 2  # receivers: high while the beam is blocked
BEAM_B = 3
SDA = 4
SCL = 5
INT = 6  # low once a frame is whole
LAMP = 7  # the white LED beside the sensor
EMITTERS = 8  # both infrared LEDs
GATE = 9  # to ground while the shutter is closed
LIFT = 10  # to ground while the ring stands on the table
SHAKE = 11  # to ground at each jolt
PIXEL = 12  # one WS2812B for the table to see
PIEZO = 13
