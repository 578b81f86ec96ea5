"""The driver of the APDS-9960 (Broadcom, formerly Avago, data sheet AV02-4191EN). It uses only the colour channels.

Comments name the page or the table of the data sheet. The chip's gesture and proximity functions stay off, and so does
its infrared LED. The driver has only been tried on a simulated chip, not on a real one. Comments say where the data
sheet gives no figure.
"""

from .sensor_driver import Chip


class Apds9960(Chip):
    """An APDS-9960.

    Its registers 0x80 to 0x9F and its interrupts are the same as those of the TCS3472 (Register Set).
    """

    NAME = "apds9960"
    ADDRESS = 0x39
    IDS = (0xAB, 0xA8)  # ID Register, page 25; some boards return the second, and other drivers accept it

    STEP_US = 2_780  # RGBC Characteristics, page 4: ADC integration time step size
    READY_US = 2_780  # assumed: one step to initialise, as in the TCS3472
    WARM_UP_US = 10_000  # assumed: other drivers wait this long after PON
    SHORTEST_FRAME_US = 2 * 2_630  # assumed: a clock as exact as the TCS3472's
    FULL = 1_025  # RGBC Characteristics, page 4: full scale ADC counts per step
    GAINS = (1, 4, 16, 64)  # Control Register One, AGAIN

    WRITABLE = (
        (Chip.ENABLE, 0x7F),
        (Chip.ATIME, 0xFF),
        (Chip.WTIME, 0xFF),
        (Chip.AILT, 0xFF),
        (Chip.AILT + 1, 0xFF),
        (Chip.AIHT, 0xFF),
        (Chip.AIHT + 1, 0xFF),
        (Chip.PERS, 0xFF),
        (Chip.CONFIG, 0x02),
        (Chip.CONTROL, 0xCF),
    )  # Register Set; the registers of proximity and gestures are left out
    # Optical Characteristics, page 4: the middle between the minimum and the maximum.
    RESPONSES = ((8, 14, 92), (26, 70, 7), (78, 28, 16))
    CLEAR_RESPONSE = 2_360  # RGBC Characteristics, page 4: 23.60 with a neutral white LED, assumed to be for ten steps

    @staticmethod
    def addressed(command: int) -> tuple[int, bool] | None:
        """Return the register of a command byte. A burst always goes on to the next register.

        0xE4 to 0xE7 are not registers.

        >>> Apds9960.addressed(0x94), Apds9960.addressed(0xE6)
        ((20, True), None)
        """
        return (command & 0x1F, True) if 0x80 <= command < 0xA0 else None
