"""PROTOCOL 8: another version is refused on both sides."""

from __future__ import annotations

import pytest

from firmware_bridge.client.status import different_protocol
from firmware_bridge.device.framing import seal
from firmware_bridge.protocol.connection import Connection, Standpoint, VersionRefused


@pytest.fixture
def host() -> Connection:
    """A host that has sent its `hi`."""
    host = Connection(iter(["s1", "s2", "s3"]).__next__)
    host.connected(0.0)
    return host


@pytest.mark.parametrize("version", [0, 2, 17])
def test_a_host_refuses_any_other_version(host, version):
    """A host reads only `v` of a hello in another version, and then only sends a `hi` now and then."""
    heard = host.receive(seal(f"hello v={version} strange=1"), 0.1)

    assert heard == [VersionRefused(version)]
    assert host.standpoint is Standpoint.REFUSED
    host.outgoing(0.2)
    assert host.outgoing(5.0) == b""
    assert host.outgoing(5.3).startswith(b"$hi v=1 ")


def test_no_event_of_a_foreign_version_is_taken(host):
    """A host accepts and acknowledges no event from a device of another version."""
    host.receive(seal("hello v=2 to=s2"), 0.1)

    assert host.receive(seal("gate b=00000001 n=1 t=1 open=1"), 0.2) == []
    assert b"ack" not in host.outgoing(10.0)


def test_a_device_with_new_firmware_is_met_anew(host):
    """A hello in our version ends the host's refusal."""
    host.receive(seal("hello v=2 to=0"), 0.1)
    host.receive(seal("hello v=1 to=0 fw=1 id=d sensor=none sim=0 can=x b=00000002 from=1"), 0.2)

    assert host.standpoint is Standpoint.ASKING
    assert host.outgoing(0.3).startswith(b"$hi v=1 h=s3")


def test_the_sentence_says_which_side_to_update():
    """The host's sentence for the table says which side to update."""
    assert "Update the companion" in different_protocol(2)
    assert "Update the ring's firmware" in different_protocol(0)


def test_a_device_opens_no_session_in_a_foreign_version(conversation):
    """A device starts no session in another version, but answers with its own hello."""
    device = conversation().device
    device.outgoing(0)

    device.receive(seal("hi v=2 h=abc"), 1)

    assert device.session == ""
    assert device.outgoing(2).startswith(b"$hello v=1 to=abc ")


def test_unknown_words_and_keys_are_ignored(talk):
    """Both ends ignore unknown words and keys, so that additions need no new version."""
    assert talk.host.receive(seal("weather b=00000001 sun=1"), talk.now) == []
    talk.device.receive(seal(f"ping h={talk.host.session} id=99 colour=red"), talk.now_us)

    assert b"pong" in talk.device.outgoing(talk.now_us)
