"""A console with buttons, LEDs, a lamp and a buzzer on the Pi's GPIO pins; implements `ConsolePort`. Knows no game."""

from firmware_bridge.pi_console.config import ConsoleConfig
from firmware_bridge.pi_console.config_file import Taken, plan_of, read_plan
from firmware_bridge.pi_console.open import NoPins, look_at_console, open_console, ring_pins

__all__ = ["ConsoleConfig", "NoPins", "Taken", "look_at_console", "open_console", "plan_of", "read_plan", "ring_pins"]
