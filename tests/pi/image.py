"""The machines' first card: a small Debian like Raspberry Pi OS Lite, made once and cached."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

from tests.pi.kernel import installed, said

SUITE = "bookworm"
SIZE_MB = 1600
PACKAGES = (
    "apt",
    "avahi-daemon",
    "bash-completion",
    "ca-certificates",
    "dbus",
    "dnsmasq-base",
    "i2c-tools",
    "init",
    "iproute2",
    "iw",
    "kmod",
    "mosquitto",
    "network-manager",
    "nftables",
    "polkitd",
    "procps",
    "python3",
    "python3-pip",
    "python3-venv",
    "sudo",
    "systemd-sysv",
    "udev",
    "udhcpc",
    "wpasupplicant",
)
QUIET = ("e2scrub_reap.service", "getty@tty1.service", "mosquitto.service", "serial-getty@ttyS1.service")
GROUPS = ("gpio", "i2c", "spi", "netdev")
USER = "pi"
PINS = """SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"
SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"
"""
AGENT = """[Unit]
Description=Does what the test says
DefaultDependencies=no
After=systemd-udevd.service systemd-remount-fs.service
[Service]
ExecStartPre=/bin/sh -c 'mountpoint /share || mount -t hostfs none /share || mount -t 9p share /share'
ExecStart=/usr/bin/python3 -u /share/agent.py /dev/ttyS1
Restart=always
OOMScoreAdjust=-900
[Install]
WantedBy=sysinit.target
"""
CLOCK = """[Unit]
Description=Wakes up at another time, when the kernel's words say so
DefaultDependencies=no
After=agent.service
Before=sysinit.target
ConditionKernelCommandLine=pi.clock
[Service]
Type=oneshot
ExecStart=/bin/sh /share/clock.sh
[Install]
WantedBy=sysinit.target
"""
UNITS = {"agent.service": AGENT, "clock.service": CLOCK}
FSTAB = "/dev/root / ext4 noatime,errors=remount-ro 0 1\n"


def image(cache: Path) -> Path:
    """Return the card without our package, made in about five minutes unless it is cached."""
    kept = cache / f"image-{_key()}.ext4"
    if not kept.exists():
        folder = cache / "image.new"
        shutil.rmtree(folder, ignore_errors=True)
        _filled(folder)
        _customised(folder)
        card = cache / "image.ext4.new"
        _told("mke2fs", "-q", "-F", "-t", "ext4", "-L", "rootfs", "-d", str(folder), str(card), f"{SIZE_MB}M")
        shutil.rmtree(folder)
        card.rename(kept)
    return kept


def mirror() -> str:
    """Return the Debian mirror of this machine's own apt."""
    texts = said("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages").split()
    found = [each for each in texts if "security" not in each and each.rstrip("/").endswith("debian")]
    if not found:
        raise SystemExit("No Debian mirror is known to this machine's apt: the machines' card can't be made.")
    return found[0]


def _key() -> str:
    told = (SUITE, SIZE_MB, PACKAGES, QUIET, GROUPS, USER, PINS, UNITS, FSTAB)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:12]


def _filled(folder: Path) -> None:
    if shutil.which("mmdebstrap") is None:
        installed("mmdebstrap")
    _told(
        *("mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(PACKAGES)}"),
        *('--aptopt=APT::Install-Recommends "false"', "--dpkgopt=path-exclude=/usr/share/doc/*"),
        *("--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*"),
        *(SUITE, str(folder), mirror()),
    )


def _customised(folder: Path) -> None:
    """Add the parts of a Pi's card: its user with the usual groups, its rules for pins; and our agent."""
    (folder / "etc/hostname").write_text("raspberrypi\n")
    (folder / "etc/hosts").write_text("127.0.0.1 localhost\n127.0.1.1 raspberrypi\n")
    (folder / "etc/fstab").write_text(FSTAB)
    (folder / "etc/apt/sources.list").unlink(missing_ok=True)
    (folder / "etc/udev/rules.d/99-com.rules").write_text(PINS)
    (folder / "etc/sudoers.d/010_pi").write_text(f"{USER} ALL=(ALL) NOPASSWD: ALL\n")
    (folder / "share").mkdir()
    for name, unit in UNITS.items():
        (folder / f"etc/systemd/system/{name}").write_text(unit)
    for group in GROUPS:
        subprocess.run(["chroot", str(folder), "groupadd", "--force", "--system", group], check=True)
    groups = ",".join(("adm", "sudo", "dialout", *GROUPS))
    _told("chroot", str(folder), "useradd", "-m", "-s", "/bin/bash", "-G", groups, USER)
    _told("chroot", str(folder), "systemctl", "--quiet", "enable", *UNITS)
    _told("chroot", str(folder), "systemctl", "--quiet", "mask", *QUIET)


def _told(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:4])} ... has failed:\n{(done.stdout + done.stderr)[-3000:]}")
