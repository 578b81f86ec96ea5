"""The layout of the messages between the kernel and a FUSE file system on /dev/fuse.

Version 7.31 of the protocol, as in `linux/fuse.h`, limited to what programs with plain files need.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from tests.powercut.disk import File, Folder, Link, Node

MOST_WRITTEN = 128 * 1024
LARGEST_REQUEST = MOST_WRITTEN + 4096
FOR_GOOD_S = 1 << 30
"""How long the kernel may cache answers: nobody else changes these files."""
PAGE = 4096


class Op(IntEnum):
    """Operations of requests."""

    LOOKUP = 1
    FORGET = 2
    GETATTR = 3
    SETATTR = 4
    READLINK = 5
    SYMLINK = 6
    MKDIR = 9
    UNLINK = 10
    RMDIR = 11
    RENAME = 12
    READ = 15
    WRITE = 16
    STATFS = 17
    FSYNC = 20
    INIT = 26
    READDIR = 28
    FSYNCDIR = 30
    CREATE = 35
    MKNOD = 8
    INTERRUPT = 36
    BATCH_FORGET = 42
    RENAME2 = 45


UNANSWERED = (Op.FORGET, Op.INTERRUPT, Op.BATCH_FORGET)

_ASKED = struct.Struct("<IIQQIIIHH")
_ANSWERED = struct.Struct("<IiQ")
_ATTRIBUTES = struct.Struct("<QQQQQQIIIIIIIIII")
_ATTRIBUTES_FOR = struct.Struct("<QII")
_ENTRY = struct.Struct("<QQQQII")
_INIT = struct.Struct("<IIIIHHIIHHI28x")
_STATFS = struct.Struct("<QQQQQIIII24x")
_NAME = struct.Struct("<QQII")
_SET = struct.Struct("<IIQQQQQQIIIIIIII")
_RANGE = struct.Struct("<QQI")
_NO_OPEN, _NO_OPENDIR, _BIG_WRITES = 1 << 17, 1 << 24, 1 << 5
SET_MODE, SET_UID, SET_GID, SET_SIZE, SET_MTIME, SET_MTIME_NOW = 1, 2, 4, 8, 32, 256
KINDS = {File: 8, Folder: 4, Link: 10}
"""The type of each kind of node in a folder's list."""


@dataclass(frozen=True)
class Asked:
    """One request: operation, node and owner."""

    op: int
    unique: int
    node: int
    owner: tuple[int, int]
    body: memoryview

    @property
    def names(self) -> list[bytes]:
        """The names in a request that consists of names only."""
        return bytes(self.body).split(b"\0")[:-1]

    def after(self, fixed: int) -> list[bytes]:
        """Return the names after the first *fixed* bytes."""
        return bytes(self.body[fixed:]).split(b"\0")[:-1]

    def number(self, layout: str, which: int = 0) -> int:
        """Return one of the numbers at the beginning, which have this struct *layout*."""
        return int(struct.unpack_from("<" + layout, self.body)[which])


def asked(message: memoryview) -> Asked:
    """Return the request in *message*."""
    length, op, unique, node, uid, gid, *_ = _ASKED.unpack_from(message)
    return Asked(op, unique, node, (uid, gid), message[_ASKED.size : length])


def answered(unique: int, body: bytes = b"", error: int = 0) -> bytes:
    """Return an answer, or an error with the given number."""
    return _ANSWERED.pack(_ANSWERED.size + len(body), -error, unique) + body


def hello(request: Asked) -> bytes:
    """Answer the kernel's first request: no open and close requests, and large writes."""
    return _INIT.pack(7, 31, 0, _NO_OPEN | _NO_OPENDIR | _BIG_WRITES, 16, 12, MOST_WRITTEN, 1, 32, 0, 0)


def entry(number: int, node: Node) -> bytes:
    """Return a name's node with its attributes."""
    return _ENTRY.pack(number, 0, FOR_GOOD_S, FOR_GOOD_S, 0, 0) + _attributes(number, node)


def attributes(number: int, node: Node) -> bytes:
    """Return a node's attributes."""
    return _ATTRIBUTES_FOR.pack(FOR_GOOD_S, 0, 0) + _attributes(number, node)


def created(number: int, node: Node) -> bytes:
    """Return a new, opened file's node."""
    return entry(number, node) + struct.pack("<QII", 0, 0, 0)


def written(size: int) -> bytes:
    """Return the answer to a write of *size* bytes."""
    return struct.pack("<II", size, 0)


def room() -> bytes:
    """Return the answer that there is free space."""
    return _STATFS.pack(1 << 20, 1 << 19, 1 << 19, 1 << 16, 1 << 15, PAGE, 255, PAGE, 0)


def listed(names: list[tuple[bytes, int]], start: int, size: int) -> bytes:
    """Return a folder's names and kinds from number *start* on, as many as fit into *size* bytes."""
    text = b""
    for at, (name, kind) in enumerate(names[start:], start + 1):
        one = _NAME.pack(at, at, len(name), kind) + name
        one += bytes(-len(one) % 8)
        if len(text) + len(one) > size:
            break
        text += one
    return text


def range_of(request: Asked) -> tuple[int, int]:
    """Return offset and size of a read or write."""
    _, offset, size = _RANGE.unpack_from(request.body)
    return offset, size


@dataclass(frozen=True)
class Settings:
    """Attributes of a node to set, or None for those that do not change."""

    mode: int | None
    uid: int | None
    gid: int | None
    size: int | None


def settings_of(request: Asked) -> Settings:
    """Return the attributes that a request sets."""
    valid, _, _, size, *_, mode, _, uid, gid, _ = _SET.unpack_from(request.body)
    wanted = {SET_MODE: mode, SET_UID: uid, SET_GID: gid, SET_SIZE: size}
    return Settings(*(value if valid & flag else None for flag, value in wanted.items()))


def _attributes(number: int, node: Node) -> bytes:
    size = len(node.seen) if isinstance(node, File) else len(node.target) if isinstance(node, Link) else PAGE
    seconds, rest = divmod(node.changed_ns, 1_000_000_000)
    blocks = (size + 511) // 512
    times = (seconds, seconds, seconds, rest, rest, rest)
    return _ATTRIBUTES.pack(number, size, blocks, *times, node.mode, node.names, *node.owner, 0, PAGE, 0)
