"""The targets of a package: a suite with its Python version, and an architecture with its compiler."""

from __future__ import annotations

from dataclasses import dataclass

LIBC = (2, 36)
"""Version of glibc in the older suite; compiled wheels must not need a newer one."""


@dataclass(frozen=True)
class Suite:
    """A release of Debian and the release of Raspberry Pi OS with the same name."""

    name: str
    number: int
    python: tuple[int, int]


@dataclass(frozen=True)
class Architecture:
    """A processor architecture: its name in Debian, its compiler's triplet, and its name in Python's wheels."""

    name: str
    triplet: str
    machine: str


SUITES = {each.name: each for each in (Suite("bookworm", 12, (3, 11)), Suite("trixie", 13, (3, 13)))}
ARCHITECTURES = {
    each.name: each
    for each in (
        Architecture("amd64", "x86_64-linux-gnu", "x86_64"),
        Architecture("arm64", "aarch64-linux-gnu", "aarch64"),
    )
}


@dataclass(frozen=True)
class Target:
    """The suite and architecture of one package."""

    suite: Suite
    architecture: Architecture

    @property
    def name(self) -> str:
        """Name for folders and messages, such as `bookworm-arm64`."""
        return f"{self.suite.name}-{self.architecture.name}"

    @property
    def python(self) -> str:
        """Python version of the suite, such as `3.11`."""
        return ".".join(map(str, self.suite.python))

    @property
    def tag(self) -> str:
        """Tag in the file names of compiled modules, such as `cpython-311-aarch64-linux-gnu`."""
        return f"cpython-{''.join(map(str, self.suite.python))}-{self.architecture.triplet}"

    @property
    def platforms(self) -> tuple[str, ...]:
        """Platform tags of usable wheels, newest glibc first."""
        major, newest = LIBC
        return tuple(f"manylinux_{major}_{minor}_{self.architecture.machine}" for minor in range(newest, 16, -1))
