"""The GPIO numbers of the board; a test compares them with hardware/pins.toml."""

BEAM_A = 2  # both receivers are high while their beam is blocked
BEAM_B = 3
SDA = 4
SCL = 5
INT = 6  # low when a frame is complete
LAMP = 7  # the white LED next to the sensor
EMITTERS = 8  # both infrared LEDs
GATE = 9  # connected to ground while the shutter is closed
LIFT = 10  # connected to ground while the ring is on the table
SHAKE = 11  # connected to ground for a moment at each jolt
PIXEL = 12  # one WS2812B, visible to the players
PIEZO = 13
