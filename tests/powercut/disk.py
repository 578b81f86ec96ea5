"""A disk that forgets: what has been written is seen at once, and is there after a power cut only if it was synced.

The model, stricter than ext4 with `data=ordered` and no stricter than a card behind it may be:

- `fsync` or `fdatasync` of a file keeps all that it holds then, its size included, and nothing else: not its name.
- `fsync` of a folder keeps its names as they are then: what was made, renamed or taken away in it.
- Of what was written since, each sector (512 or 4,096 bytes) is there after a cut or is not, whatever was written
  before or after it, and so is each change of a size. A file that has grown may end anywhere, and hold noughts where
  a sector is missing. A sector is old or new, never half; what was synced is never harmed.
- Of what was done to the names of a folder since, the first so many are done and the others are not, as a journal
  has them. Each of them is done whole: a name that is replaced leads to the one file or to the other. Folders are in
  no order among each other, and a name may be there before what it leads to (ext4 would mostly wait with it).
- Modes and owners are kept at once.

How much comes through is drawn for each cut: nothing, everything, or a share. What a card does beyond that (lose
what it has said is synced, tear its neighbours' sectors) is not in it.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

SECTORS = (512, 4096)
FOLDER_MODE = stat.S_IFDIR | 0o755


@dataclass(frozen=True)
class Mercy:
    """What a power cut leaves of what was not synced: each piece with the chance *share*, drawn by *lots*."""

    share: float
    sector: int
    lots: Random

    def spares(self) -> bool:
        """Draw whether one more piece has come through."""
        return self.lots.random() < self.share

    def first_of(self, many: int) -> int:
        """Draw how many come through of those that are in an order."""
        if self.share in (0.0, 1.0):
            return many if self.share else 0
        return self.lots.randint(0, many)


def mercy(lots: Random, share: float | None = None) -> Mercy:
    """Draw how merciful a cut is, unless *share* says it: a third each of nothing, everything and something."""
    drawn = lots.choice((0.0, 1.0, lots.uniform(0.05, 0.95)))
    return Mercy(drawn if share is None else share, lots.choice(SECTORS), lots)


@dataclass
class Node:
    """What a name leads to."""

    mode: int
    owner: tuple[int, int] = (0, 0)
    names: int = 1
    changed_ns: int = 0


@dataclass
class Link(Node):
    """A symbolic link: on the disk with its name."""

    target: bytes = b""

    def after_cut(self, _: Mercy) -> Link:
        """Return it as it is."""
        return Link(self.mode, self.owner, target=self.target)


@dataclass
class File(Node):
    """A file: as it is *seen*, as it is *kept*, and what was done to it since that was the same."""

    seen: bytearray = field(default_factory=bytearray)
    kept: bytearray = field(default_factory=bytearray)
    waiting: list[tuple[int, bytes] | int] = field(default_factory=list)
    """Each what was written and where, or the size that it was cut or stretched to."""

    def write(self, offset: int, data: bytes) -> None:
        """Write *data*, to be seen at once."""
        _written(self.seen, offset, data)
        self.waiting.append((offset, data))

    def resize(self, size: int) -> None:
        """Cut it off at *size*, or stretch it with noughts."""
        _resized(self.seen, size)
        self.waiting.append(size)

    def sync(self) -> None:
        """Keep all of it."""
        for done in self.waiting:
            _do(self.kept, done)
        self.waiting.clear()

    def after_cut(self, mercy: Mercy) -> File:
        """Return what is found of it afterwards."""
        left = bytearray(self.kept)
        for done in self.waiting:
            for part in _torn(done, mercy.sector):
                if mercy.spares():
                    _do(left, part)
        return File(self.mode, self.owner, seen=left, kept=bytearray(left))


@dataclass
class Folder(Node):
    """A folder: names as they are *seen*, as they are *kept*, and what was done to them since they were the same."""

    seen: dict[bytes, Node] = field(default_factory=dict)
    kept: dict[bytes, Node] = field(default_factory=dict)
    waiting: list[Mapping[bytes, Node | None]] = field(default_factory=list)
    """Each all names that one deed changed, with what they lead to since."""

    def rename(self, change: Mapping[bytes, Node | None]) -> None:
        """Have names lead to something else, None to nothing; all of them or, after a cut, none."""
        _renamed(self.seen, change)
        self.waiting.append(change)

    def sync(self) -> None:
        """Keep all names."""
        for change in self.waiting:
            _renamed(self.kept, change)
        self.waiting.clear()

    def after_cut(self, mercy: Mercy) -> Folder:
        """Return what is found of it, and of all in it, afterwards."""
        left = dict(self.kept)
        for change in self.waiting[: mercy.first_of(len(self.waiting))]:
            _renamed(left, change)
        found = {name: _after_cut(node, mercy) for name, node in left.items()}
        return Folder(self.mode, self.owner, seen=found, kept=dict(found))


def empty_disk() -> Folder:
    """Return a disk with nothing on it."""
    return Folder(FOLDER_MODE)


def unsynced(folder: Folder) -> int:
    """Count what a merciless cut would take."""
    files = sum(len(node.waiting) for node in folder.seen.values() if isinstance(node, File))
    folders = sum(unsynced(node) for node in folder.seen.values() if isinstance(node, Folder))
    return len(folder.waiting) + files + folders


def _after_cut(node: Node, mercy: Mercy) -> Node:
    assert isinstance(node, File | Folder | Link)
    return node.after_cut(mercy)


def _renamed(names: dict[bytes, Node], change: Mapping[bytes, Node | None]) -> None:
    for name, node in change.items():
        if node is None:
            names.pop(name, None)
        else:
            names[name] = node


def _torn(done: tuple[int, bytes] | int, sector: int) -> Iterator[tuple[int, bytes] | int]:
    """Yield the pieces of one deed that a cut can part."""
    if isinstance(done, int):
        yield done
        return
    offset, data = done
    end = offset + len(data)
    for start in range(offset - offset % sector, end, sector):
        first, last = max(start, offset), min(start + sector, end)
        yield first, data[first - offset : last - offset]


def _do(content: bytearray, done: tuple[int, bytes] | int) -> None:
    if isinstance(done, int):
        _resized(content, done)
    else:
        _written(content, *done)


def _written(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        _resized(content, offset)
    content[offset : offset + len(data)] = data


def _resized(content: bytearray, size: int) -> None:
    if size < len(content):
        del content[size:]
    else:
        content.extend(bytes(size - len(content)))
