"""A club's own certificate authority, made with OpenSSL's command line.

Debian installs `openssl` with the certificates of the web, so on a Pi nothing is added. Private keys are made in the
club's folder and are never in an argument or an output.
"""

from __future__ import annotations

import shutil
import subprocess
from ipaddress import ip_address
from pathlib import Path

from companion.kernel.private_file import make_private

CA, CA_KEY, SERVER, SERVER_KEY = "ca.pem", "ca.key", "broker.pem", "broker.key"
CA_DAYS, SERVER_DAYS = 3650, 1825
_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256")


class NoAuthority(Exception):
    """The certificates could not be made; the message says why."""


def make_authority(folder: Path, name: str) -> None:
    """Make the key and the certificate of the authority in *folder*. Raises `NoAuthority`."""
    make_private(folder / CA_KEY)
    _openssl(
        *("req", "-x509", *_CURVE, "-days", CA_DAYS, "-subj", f"/CN={_plain(name)}"),
        *("-addext", "keyUsage=critical,keyCertSign,cRLSign", "-keyout", folder / CA_KEY, "-out", folder / CA),
    )


def certify_broker(folder: Path, host: str, days: int = SERVER_DAYS) -> None:
    """Make a new key and certificate for the broker at *host*, signed by the authority. Raises `NoAuthority`."""
    request, extensions = folder / "broker.csr", folder / "broker.ext"
    make_private(folder / SERVER_KEY)
    extensions.write_text(f"subjectAltName={_alternative(host)}\nextendedKeyUsage=serverAuth\n", encoding="utf-8")
    try:
        _openssl("req", "-new", *_CURVE, "-subj", "/CN=broker", "-keyout", folder / SERVER_KEY, "-out", request)
        _openssl(
            *("x509", "-req", "-in", request, "-CA", folder / CA, "-CAkey", folder / CA_KEY, "-CAcreateserial"),
            *("-days", days, "-sha256", "-extfile", extensions, "-out", folder / SERVER),
        )
    finally:
        for each in (request, extensions, folder / "ca.srl"):
            each.unlink(missing_ok=True)


def _plain(name: str) -> str:
    """Return *name* reduced to letters and digits that need no escapes in the name of a certificate."""
    return "".join(each if each.isalnum() and each.isascii() else " " for each in name).strip()[:60] or "club"


def _alternative(host: str) -> str:
    try:
        return f"IP:{ip_address(host)}"
    except ValueError:
        return f"DNS:{host}"


def _openssl(*words: object) -> None:
    program = shutil.which("openssl")
    if program is None:
        raise NoAuthority("openssl is missing on this computer: apt-get install openssl")
    done = subprocess.run(  # noqa: S603 - a program of Debian, with arguments of ours
        [program, *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        raise NoAuthority(f"openssl failed: {(done.stderr.strip().splitlines() or ['it says no reason'])[-1]}")
