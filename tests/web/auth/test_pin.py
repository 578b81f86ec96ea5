"""The host's PIN, sessions and tokens."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from companion.kernel.private_file import Modes
from web.auth.pin import HostPin


class Fat(Modes):
    """A file system without file modes, such as FAT."""

    def mode(self, path: Path) -> int:
        return 0o777


def test_a_pin_is_drawn_at_the_first_start(tmp_path: Path) -> None:
    """The PIN has eight random digits, is saved for the next start, and has no default."""
    first = HostPin(tmp_path / "data")

    assert len(first.pin) == 8
    assert first.pin.isdigit()
    assert HostPin(tmp_path / "data").pin == first.pin
    assert len({HostPin(tmp_path / str(n)).pin for n in range(20)}) > 10


def test_the_keys_are_their_owners_alone(tmp_path: Path) -> None:
    """Keys: every file is readable by its owner only."""
    HostPin(tmp_path)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("pin", "secret", "token"), 0o600)


@pytest.mark.parametrize("name", ["pin", "secret", "token", "seats.json", "sessions.json"])
def test_a_key_that_others_could_read_is_made_anew(tmp_path: Path, name: str) -> None:
    """Keys: a key file readable by others is replaced by a private one and reported; other files stay unchanged."""
    before = HostPin(tmp_path)
    before.seats.sitting(1, {"red": "Ana"})
    before.devices.sign_in(None, before.session_mark)
    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    (tmp_path / name).chmod(0o644)

    after = HostPin(tmp_path)

    assert after.regenerated == (f"{tmp_path / name} was open to others (mode 0644): not trusted, so it is replaced.",)
    assert [each for each in kept if (tmp_path / each).read_text() != kept[each]] == [name]
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert HostPin(tmp_path).regenerated == ()


def test_a_key_that_is_laid_while_the_house_runs_is_not_taken(tmp_path: Path) -> None:
    """Keys: a PIN file put there by another user is ignored, and the PIN that the running server knows stays valid."""
    running = HostPin(tmp_path)
    pin = running.pin
    (tmp_path / "pin").unlink()
    (tmp_path / "pin").write_text(f"000000\n{'0' * 32}\n")
    (tmp_path / "pin").chmod(0o644)

    assert running.pin == pin


def test_keys_hold_where_files_have_no_modes(tmp_path: Path) -> None:
    """Keys: on a file system without file modes, keys are still saved for the next start."""
    first = HostPin(tmp_path, modes=Fat())

    again = HostPin(tmp_path, modes=Fat())

    assert (again.pin, again.regenerated) == (first.pin, ())


def test_a_renewed_pin_ends_old_sessions(tmp_path: Path) -> None:
    """PIN: if another process renews the PIN, the running server rejects the old PIN and all sessions made with it."""
    running = HostPin(tmp_path)
    old_pin, old = running.pin, running.sign_in(None)
    new_pin = HostPin(tmp_path).renew()

    assert running.pin == new_pin
    assert not running.is_host(*old)
    assert running.enter(new_pin, "10.0.0.1")
    assert running.enter(old_pin, "10.0.0.1") == (old_pin == new_pin)


def test_a_session_is_no_guess(tmp_path: Path) -> None:
    """Session: only the session issued to a device gives it the host's rights."""
    access = HostPin(tmp_path)
    device, session = access.sign_in(None)
    other, _ = access.sign_in(None)

    assert access.is_host(device, session)
    assert not any(access.is_host(device, guess) for guess in ("", None, 1, access.pin, device, "x" * 32))
    assert not any(access.is_host(guess, session) for guess in ("", None, 1, other))


def test_a_damaged_pin_file_is_drawn_anew(tmp_path: Path) -> None:
    """PIN: a file truncated by a power cut is replaced, not trusted."""
    (tmp_path / "pin").write_text("12")

    assert len(HostPin(tmp_path).pin) == 8


def test_read_only_storage_still_has_a_host(tmp_path: Path) -> None:
    """PIN: if the folder is not writable, the PIN lasts as long as the process."""
    (tmp_path / "in the way").write_text("a file where the folder should be")
    access = HostPin(tmp_path / "in the way")

    assert access.enter(access.pin, "10.0.0.1")
    assert access.name_of(access.local_token) == "script"
    with pytest.raises(FileExistsError):
        access.renew()
