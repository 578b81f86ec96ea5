"""The host's PIN, sessions and tokens."""

from __future__ import annotations

import stat
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from companion.kernel.private_file import Modes
from companion.session.commands import Switch
from tests.web.auth.test_host_devices import status
from tests.web.auth.test_seats import asks
from tests.web.served_house import HOST, Browser, ServedHouse
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


HOUR_S = 3600
AWAY_S = (HOUR_S, -31 * 24 * HOUR_S, 2 * 365 * 24 * HOUR_S)
"""By how much a cookie's time of signing is wrong, because the clock was too fast or too slow."""


def signed(site: ServedHouse, held: Mapping[str, Any], away_s: float) -> str:
    """Return a cookie as older versions signed it, with a timestamp that differs from now by *away_s* seconds."""

    class Away(TimestampSigner):
        def get_timestamp(self) -> int:
            return int(time.time() + away_s)

    flask = SecureCookieSessionInterface()
    how = {"key_derivation": flask.key_derivation, "digest_method": flask.digest_method}
    seal = URLSafeTimedSerializer(
        site.access.secret, salt=flask.salt, serializer=flask.serializer, signer=Away, signer_kwargs=how
    )
    return str(seal.dumps(dict(held)))


def held(browser: Browser) -> dict[str, Any]:
    """Return what is in the session of *browser*."""
    with browser.client.session_transaction() as session:
        return dict(session)


def with_cookie(site: ServedHouse, cookie: str) -> Browser:
    """Return a browser with this cookie."""
    browser = Browser(site.visitor())
    browser.client.set_cookie("companion", cookie)
    return browser


@pytest.mark.parametrize("away_s", AWAY_S)
def test_a_wrong_clock_ends_no_session_and_takes_no_seat(site: ServedHouse, away_s: float) -> None:
    """The clock: a cookie stays valid for the host and for seats, whatever the age of its timestamp."""
    host = with_cookie(site, signed(site, held(site.host()), away_s))
    phone = with_cookie(site, signed(site, held(site.phone("red")), away_s))

    assert status(host) == 400
    assert asks(phone, do="deal")[0] == 200


def test_a_cookie_says_nothing_of_the_time(site: ServedHouse) -> None:
    """The clock: the signed value contains no time, and the expiry date sent to browsers is fixed (2100)."""
    answer = site.host().client.get("/")
    cookie = answer.headers["Set-Cookie"]
    text = cookie.partition("=")[2].partition(";")[0].lstrip(".")  # a leading dot marks a compressed payload

    assert text.count(".") == 1  # two parts: payload and signature
    assert "Expires=Fri, 01 Jan 2100 00:00:00 GMT" in cookie
    assert "Max-Age" not in cookie


def test_a_cookie_of_the_version_before_costs_the_host_one_pin_and_a_seat_nothing(site: ServedHouse) -> None:
    """Updates: after an update the host enters the PIN again, a phone keeps its seat, and no page shows an error."""
    host = with_cookie(site, signed(site, {"_permanent": True, "csrf": "c", "host": site.access.session_mark}, 0))
    seat = {"_permanent": True, "csrf": "c", "seat": held(site.phone("red"))["seat"]}
    phone = with_cookie(site, signed(site, seat, 0))

    assert host.client.get("/table").status_code == 200
    assert status(host) == 401
    assert host.post("/pin", pin=site.access.pin) == (303, "/")
    assert status(host) == 400
    assert asks(phone, do="deal")[0] == 200


@pytest.mark.parametrize("cookie", ["", ".", "x", "e30.x", "e30.x.y", "\u00e9", "." * 4000, "eyJob3N0IjoxfQ.AAAA"])
def test_a_cookie_that_nobody_signed_is_no_error(site: ServedHouse, cookie: str) -> None:
    """A cookie that this server has not signed is treated like a missing one."""
    answer = site.visitor().get("/table", headers={"Cookie": f"companion={cookie}"})

    assert answer.status_code == 200
    assert "You're the host" not in answer.get_data(as_text=True)


def test_the_own_phone_sits_down_on_its_own_seat_again(tmp_path: Path) -> None:
    """A phone gets its own seat again in every game that it joined, before and after a restart."""
    before = ServedHouse(tmp_path).play()
    phone, first = before.phone("red"), before.table.snapshot.game_id
    assert first is not None
    names = [{"colour": "red", "name": "Zoe"}, {"colour": "blue", "name": "Ana"}, {"colour": "green", "name": "Cem"}]
    before.table.open({**before.table.snapshot.header, "players": names}, HOST)
    phone.post("/join", pin=before.table_pin, seat="blue")
    cookie = phone.client.get_cookie("companion")
    before.table.close()
    after = ServedHouse(tmp_path)
    after.table.execute(Switch(first), HOST)
    assert cookie is not None

    again = with_cookie(after, cookie.value)

    assert again.post("/join", pin=after.table_pin, seat="red") == (303, "/table")
    assert asks(again, do="deal")[0] == 200
    after.ledger.close()
