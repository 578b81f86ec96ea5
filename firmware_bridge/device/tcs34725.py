"""The driver of our default sensor, the TCS34725 (ams, datasheet "TCS3472 Color Light-to-Digital Converter with IR
Filter").

Comments name the section of the datasheet.
"""

from .sensor_driver import Chip


class Tcs34725(Chip):
    """A TCS34725, or a TCS34727, which differs only in its bus voltage."""

    NAME = "tcs34725"
    ADDRESS = 0x29
    IDS = (0x44, 0x4D, 0x10)  # ID Register; sensors on some boards return the third

    STEP_US = 2_400  # RGBC Timing Register: one integration cycle
    READY_US = 2_400  # Operating Characteristics: ADC initialisation before each integration
    WARM_UP_US = 2_400  # Enable Register, PON: no RGBC cycle starts before that
    SHORTEST_FRAME_US = 2 * 2_270  # the sensor's own clock is at most this fast
    FULL = 1_024  # RGBC Timing Register: max count of one cycle
    GAINS = (1, 4, 16, 60)  # Control Register, AGAIN

    # Command Register: bit 7 makes it a command, bits 6 and 5 are its type, and 01 increments the address.
    RUNNING = 0xA0

    WRITABLE = (
        (Chip.ENABLE, 0x1B),
        (Chip.ATIME, 0xFF),
        (Chip.WTIME, 0xFF),
        (Chip.AILT, 0xFF),
        (Chip.AILT + 1, 0xFF),
        (Chip.AIHT, 0xFF),
        (Chip.AIHT + 1, 0xFF),
        (Chip.PERS, 0x0F),
        (Chip.CONFIG, 0x02),
        (Chip.CONTROL, 0x03),
    )  # Register Set; all others are reserved
    # Optical Characteristics: the middle between the minimum and the maximum, at 465, 525 and 615 nm.
    RESPONSES = ((8, 14, 95), (26, 72, 7), (76, 28, 14))
    CLEAR_RESPONSE = 1_760  # at 560 nm: interpolated between 16.6 at 525 nm and 19.5 at 615 nm

    @staticmethod
    def addressed(command: int) -> tuple[int, bool] | None:
        """Return the register of a command byte, and whether a burst goes on to the next register (Command Register).

        Type 10 is reserved and treated here like 00. Type 11 is a special function.

        >>> Tcs34725.addressed(0xA0 | 0x14), Tcs34725.addressed(0x80 | 0x14), Tcs34725.addressed(0xE6)
        ((20, True), (20, False), None)
        """
        way = command >> 5 & 0b11
        if not command & 0x80 or way == 0b11:
            return None
        return command & 0x1F, way == 0b01
