"""PROTOCOL 8: a device or host of another version is refused with that reason, instead of guessing."""

from __future__ import annotations

import pytest

from firmware_bridge.device.codec import VERSION
from firmware_bridge.device.framing import seal
from firmware_bridge.protocol.connection import Standpoint, VersionRefused
from firmware_bridge.protocol.messages import Hello, OtherVersion
from tests.hil.recording import Recording

pytestmark = pytest.mark.promise("hardware/PROTOCOL.md#8")

REFUSED_S = 5.0


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1, 99])
def test_a_host_of_another_version_is_answered_and_gets_no_session(host, version):
    """A `hi` of another version gets the device's own hello but no session; the running session continues."""
    lines = host.answers(seal(f"hi v={version} h=foe"), "hello")

    assert [line.message.version for line in lines if line.message.to == "foe"] == [VERSION], lines
    assert host.talk.ping()
    assert host.answers(seal("ping h=foe id=4"), "pong", 0.15) == []


def test_the_hello_begins_with_the_version(host):
    """The hello begins with `v`, as it does in every version there will ever be."""
    assert all(
        line.body.startswith(f"hello v={VERSION} ") for line in host.talk.lines if isinstance(line.message, Hello)
    )


@pytest.mark.needs("version")
@pytest.mark.parametrize("word", ["older", "newer"])
def test_a_device_of_another_version_says_so_and_opens_no_session(host, word):
    """A device of another version answers with its own hello, and sends nothing else to the host."""
    assert isinstance(host.started_anew(word), OtherVersion)

    lines = host.listen(0.3)
    assert [line.body for line in lines if not line.body.startswith("hello ")] == []


@pytest.mark.needs("version")
@pytest.mark.waits(7.0)
@pytest.mark.parametrize("word", ["older", "newer"])
def test_the_host_refuses_a_device_of_another_version_until_it_has_ours(rung, host, word):
    """The host takes no events from a device of another version, and greets it every 5 s until the versions match.

    Then it begins a session.
    """
    host.leave()
    rung.trouble(word)
    recording = Recording(host).until(lambda told: told.link.standpoint is Standpoint.REFUSED)
    assert any(isinstance(heard, VersionRefused) for heard in recording.heard)
    assert recording.events == []

    rung.mend()
    recording.until(lambda told: told.link.standpoint is Standpoint.LIVE, REFUSED_S + 4)
    recording.close()
