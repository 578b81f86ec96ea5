"""Starts of an emulated chip: counted in the flash by the boot ROM's own routines, with the right reason."""

from __future__ import annotations

STARTS = 20
COUNT = slice(0, 6)  # the part of a boot's name with the number of the start
BITES_S = 9.0  # the watchdog's timeout is eight
RAN_OUT, PULLED = 1, 2
FAST_MHZ = 200


def why(host) -> str:
    """Return the reason that the newest start reports."""
    return host.event(lambda event: event.number == 1, 0).fields["why"]


def test_a_chip_runs_as_fast_as_its_makers_allow(chip):
    """The chip runs at its highest frequency, since our firmware raises its voltage first, as the emulator demands."""
    assert chip.board.mhz == FAST_MHZ


def test_twenty_starts_are_counted(chip, host, figures):
    """Over twenty power cycles each boot has the next number and a unique name."""
    boots = [host.talk.boot]
    before = chip.board.writes
    for _ in range(STARTS):
        boots.append(host.started_anew().boot)
        assert why(host) == "power"
    figures |= {"starts": STARTS, "flash orders for each start": (chip.board.writes - before) / STARTS}

    numbers = [int(boot[COUNT], 16) for boot in boots]
    assert numbers == list(range(numbers[0], numbers[0] + STARTS + 1))
    assert len(set(boots)) == STARTS + 1


def test_power_may_go_at_any_moment_of_a_start(chip, host):
    """After a power cut 5 to 600 ms after a start, the next start works and has the same number or the next."""
    number = int(host.talk.boot[COUNT], 16)
    for ms in (5, 60, 120, 180, 240, 300, 360, 420, 480, 600):
        chip.trouble("restarted")
        chip.wait(ms / 1000)
        boot = host.started_anew().boot
        assert number + 1 <= int(boot[COUNT], 16) <= number + 2
        number = int(boot[COUNT], 16)


def test_an_ordered_restart_says_so(chip, host):
    """The order `prompt` resets the chip to its prompt; a reset from there makes it a ring, with reason "reset"."""
    boot = host.talk.boot
    host.done("prompt")
    chip.wait(1.5)
    wire = chip.wire()
    wire.write(b"\r\x01import machine\nmachine.reset()\x04")
    chip.wait(2.0)
    hello = host.again()

    assert chip.board.resets == [PULLED, PULLED]
    assert int(hello.boot[COUNT], 16) == int(boot[COUNT], 16) + 1
    assert why(host) == "reset"


def test_a_firmware_that_hangs_is_started_anew(chip, host):
    """The watchdog resets a hanging firmware after eight seconds, and the next start reports it."""
    boot = host.talk.boot
    host.talk.say("hang", ("c", host.talk.ordered + 1))
    chip.wait(BITES_S)
    hello = host.again()

    assert chip.board.resets == [RAN_OUT]
    assert int(hello.boot[COUNT], 16) == int(boot[COUNT], 16) + 1
    assert why(host) == "watchdog"
