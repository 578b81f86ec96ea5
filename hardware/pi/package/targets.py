"""What a package is built for: a suite with its Python, and an architecture with its compiler."""

from __future__ import annotations

from dataclasses import dataclass

LIBC = (2, 36)
"""Of the older suite; what is compiled elsewhere may ask for no newer one."""


@dataclass(frozen=True)
class Suite:
    """A release of Debian, and of Raspberry Pi OS of the same name."""

    name: str
    number: int
    python: tuple[int, int]


@dataclass(frozen=True)
class Architecture:
    """A kind of processor: Debian's word, the compiler's, and that of Python's wheels."""

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
    """One package to be built."""

    suite: Suite
    architecture: Architecture

    @property
    def name(self) -> str:
        """A word for folders and people."""
        return f"{self.suite.name}-{self.architecture.name}"

    @property
    def python(self) -> str:
        """The suite's Python, as in `3.11`."""
        return ".".join(map(str, self.suite.python))

    @property
    def tag(self) -> str:
        """What a compiled module of this Python is called by, as in `cpython-311-aarch64-linux-gnu`."""
        return f"cpython-{''.join(map(str, self.suite.python))}-{self.architecture.triplet}"

    @property
    def platforms(self) -> tuple[str, ...]:
        """The platforms whose wheels run there, newest C library first."""
        major, newest = LIBC
        return tuple(f"manylinux_{major}_{minor}_{self.architecture.machine}" for minor in range(newest, 16, -1))
