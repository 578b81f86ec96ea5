"""The forgetful disk as a FUSE file system: each request is found, executed and answered."""

from __future__ import annotations

import errno
import stat
import time
from collections.abc import Callable, Mapping
from itertools import count

from tests.powercut import fuse_messages as fuse
from tests.powercut.disk import File, Folder, Link, Node
from tests.powercut.fuse_messages import Asked, Op

ROOT = 1
PASSING = "-shm"
"""The ending of shared memory files: they are made again after a cut, so writing them is not counted."""
CHANGES = {
    Op.SETATTR: "resize",
    Op.SYMLINK: "link",
    Op.MKDIR: "make folder",
    Op.UNLINK: "remove",
    Op.RMDIR: "remove",
    Op.RENAME: "rename",
    Op.RENAME2: "rename",
    Op.WRITE: "write",
    Op.FSYNC: "sync",
    Op.FSYNCDIR: "sync folder",
    Op.CREATE: "create",
}
"""Operations that change the result of a power cut, with their names."""


class Forgetful:
    """A mounted forgetful disk; nodes keep their numbers, and nodes without a name stay until it is unmounted."""

    def __init__(self, disk: Folder, now_ns: Callable[[], int] = time.time_ns) -> None:
        self.disk = disk
        self._now_ns = now_ns
        self._nodes: dict[int, Node] = {ROOT: disk}
        self._numbers: dict[int, int] = {id(disk): ROOT}
        self._names: dict[int, str] = {ROOT: "."}
        self._next = count(ROOT + 1)
        self._done: Mapping[int, Callable[[Asked], bytes]] = {
            Op.INIT: fuse.hello,
            Op.LOOKUP: self._lookup,
            Op.GETATTR: lambda asked: self._told(asked.node),
            Op.SETATTR: self._set,
            Op.READLINK: lambda asked: self._link(asked.node).target,
            Op.SYMLINK: self._symlink,
            Op.MKDIR: lambda asked: self._made(asked, Folder, asked.after(8)[0], stat.S_IFDIR | asked.number("I")),
            Op.CREATE: self._create,
            Op.UNLINK: self._remove,
            Op.RMDIR: self._remove,
            Op.RENAME: lambda asked: self._rename(asked, 8),
            Op.RENAME2: lambda asked: self._rename(asked, 16),
            Op.READ: self._read,
            Op.WRITE: self._write,
            Op.STATFS: lambda _: fuse.room(),
            Op.FSYNC: self._sync,
            Op.FSYNCDIR: self._sync,
            Op.READDIR: self._list,
        }

    def moment(self, asked: Asked) -> str:
        """Return the names of the change and of the changed file, or an empty string if the request changes nothing."""
        word = CHANGES.get(Op(asked.op), "") if asked.op in self._done else ""
        if self._names.get(asked.node, "").endswith(PASSING):
            return ""
        if asked.op == Op.SETATTR and fuse.settings_of(asked).size is None:
            return ""
        fixed = {Op.MKDIR: 8, Op.CREATE: 16, Op.RENAME: 8, Op.RENAME2: 16, Op.UNLINK: 0, Op.RMDIR: 0, Op.SYMLINK: 0}
        if asked.op in fixed:
            return f"{word} {asked.after(fixed[Op(asked.op)])[-1].decode()}"
        return f"{word} {self._names[asked.node]}" if word else ""

    def answer(self, asked: Asked) -> bytes:
        """Execute a request and return the answer."""
        do = self._done.get(asked.op)
        if do is None:
            return fuse.answered(asked.unique, error=errno.ENOSYS)
        try:
            return fuse.answered(asked.unique, do(asked))
        except OSError as refused:
            assert refused.errno
            return fuse.answered(asked.unique, error=refused.errno)

    # Names

    def _lookup(self, asked: Asked) -> bytes:
        (name,) = asked.names
        return self._entry(self._there(asked.node, name), name)

    def _create(self, asked: Asked) -> bytes:
        (name,) = asked.after(16)
        self._made(asked, File, name, stat.S_IFREG | asked.number("II", 1) & 0o7777)
        node = self._there(asked.node, name)
        return fuse.created(self._number(node, name), node)

    def _symlink(self, asked: Asked) -> bytes:
        name, target = asked.names
        self._folder(asked.node).rename({name: Link(stat.S_IFLNK | 0o777, asked.owner, target=target)})
        return self._entry(self._there(asked.node, name), name)

    def _made(self, asked: Asked, kind: type[File | Folder], name: bytes, mode: int) -> bytes:
        node = kind(mode, asked.owner, changed_ns=self._now_ns())
        self._folder(asked.node).rename({name: node})
        return self._entry(node, name)

    def _remove(self, asked: Asked) -> bytes:
        (name,) = asked.names
        node = self._there(asked.node, name)
        if isinstance(node, Folder) and node.seen:
            raise OSError(errno.ENOTEMPTY, "not empty")
        self._folder(asked.node).rename({name: None})
        node.names = 0
        return b""

    def _rename(self, asked: Asked, fixed: int) -> bytes:
        before, after = asked.after(fixed)
        if asked.number("Q") != asked.node:
            raise OSError(errno.EXDEV, "as if every folder were a disk of its own")
        if fixed > 8 and asked.number("QI", 1):
            raise OSError(errno.EINVAL, "no exchanging, no refusing to replace")
        node = self._there(asked.node, before)
        self._folder(asked.node).rename({before: None, after: node})
        self._names[self._number(node, after)] = after.decode()
        return b""

    def _list(self, asked: Asked) -> bytes:
        offset, size = fuse.range_of(asked)
        inside = self._folder(asked.node).seen.items()
        names = [(b".", 4), (b"..", 4), *((name, fuse.KINDS[type(node)]) for name, node in inside)]
        return fuse.listed(names, offset, size)

    # Content

    def _read(self, asked: Asked) -> bytes:
        offset, size = fuse.range_of(asked)
        return bytes(self._file(asked.node).seen[offset : offset + size])

    def _write(self, asked: Asked) -> bytes:
        offset, size = fuse.range_of(asked)
        file = self._file(asked.node)
        file.write(offset, bytes(asked.body[40 : 40 + size]))
        file.changed_ns = self._now_ns()
        return fuse.written(size)

    def _set(self, asked: Asked) -> bytes:
        wanted, node = fuse.settings_of(asked), self._nodes[asked.node]
        if wanted.mode is not None:
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(wanted.mode)
        uid, gid = node.owner
        node.owner = (uid if wanted.uid is None else wanted.uid, gid if wanted.gid is None else wanted.gid)
        if wanted.size is not None:
            self._file(asked.node).resize(wanted.size)
        node.changed_ns = self._now_ns()
        return self._told(asked.node)

    def _sync(self, asked: Asked) -> bytes:
        node = self._nodes[asked.node]
        assert isinstance(node, File | Folder)
        node.sync()
        return b""

    # Nodes

    def _there(self, folder: int, name: bytes) -> Node:
        node = self._folder(folder).seen.get(name)
        if node is None:
            raise OSError(errno.ENOENT, "no such name")
        return node

    def _number(self, node: Node, name: bytes) -> int:
        # The node is also in `_nodes`, so that its id is not reused for another node.
        if id(node) not in self._numbers:
            number = self._numbers[id(node)] = next(self._next)
            self._nodes[number] = node
            self._names[number] = name.decode()
        return self._numbers[id(node)]

    def _entry(self, node: Node, name: bytes) -> bytes:
        return fuse.entry(self._number(node, name), node)

    def _told(self, number: int) -> bytes:
        return fuse.attributes(number, self._nodes[number])

    def _file(self, number: int) -> File:
        node = self._nodes[number]
        assert isinstance(node, File)
        return node

    def _folder(self, number: int) -> Folder:
        node = self._nodes[number]
        assert isinstance(node, Folder)
        return node

    def _link(self, number: int) -> Link:
        node = self._nodes[number]
        assert isinstance(node, Link)
        return node
