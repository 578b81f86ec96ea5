"""PROTOCOL 8: versions that differ are met with a refusal that says so, never with a guess."""

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
    """The device answers with its own hello; the session that runs goes on."""
    lines = host.answers(seal(f"hi v={version} h=foe"), "hello")

    assert [line.message.version for line in lines if line.message.to == "foe"] == [VERSION], lines
    assert host.talk.ping()
    assert host.answers(seal("ping h=foe id=4"), "pong", 0.15) == []


def test_the_hello_begins_with_the_version(host):
    """`v` is in the hello of every version there will ever be."""
    assert all(
        line.body.startswith(f"hello v={VERSION} ") for line in host.talk.lines if isinstance(line.message, Hello)
    )


@pytest.mark.needs("version")
@pytest.mark.parametrize("word", ["older", "newer"])
def test_a_device_of_another_version_says_so_and_opens_no_session(host, word):
    """It answers with its own hello, and tells a host that it does not understand nothing else."""
    assert isinstance(host.started_anew(word), OtherVersion)

    lines = host.listen(0.3)
    assert [line.body for line in lines if not line.body.startswith("hello ")] == []


@pytest.mark.needs("version")
@pytest.mark.waits(7.0)
@pytest.mark.parametrize("word", ["older", "newer"])
def test_the_host_refuses_a_device_of_another_version_until_it_has_ours(rung, host, word):
    """It takes no events, greets every 5 s, and begins a session as soon as the device speaks our version."""
    host.leave()
    rung.trouble(word)
    recording = Recording(host).until(lambda told: told.link.standpoint is Standpoint.REFUSED)
    assert any(isinstance(heard, VersionRefused) for heard in recording.heard)
    assert recording.events == []

    rung.mend()
    recording.until(lambda told: told.link.standpoint is Standpoint.LIVE, REFUSED_S + 4)
    recording.close()
