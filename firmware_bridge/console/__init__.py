"""Buttons, lights, a lamp and a buzzer on the Pi's own pins: a plan in, a `ConsolePort` out; knows no game."""

from firmware_bridge.console.opening import NoPins, look_at_console, open_console, ring_pins
from firmware_bridge.console.plan import Plan
from firmware_bridge.console.reading import Taken, plan_of, read_plan

__all__ = ["NoPins", "Plan", "Taken", "look_at_console", "open_console", "plan_of", "read_plan", "ring_pins"]
