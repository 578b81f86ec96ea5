"""A forgetful disk: written data can be read at once, but survives a power cut only if it was synced.

The model is stricter than ext4 with `data=ordered`, and no stricter than a real card may be:

- `fsync` or `fdatasync` of a file saves its content and size, but not its name.
- `fsync` of a folder saves its present names: files created, renamed or removed in it.
- Of data written since the last sync, each sector (512 or 4,096 bytes) survives a cut or not, independently of all
  others, and so does each change of a size. A file that has grown may end anywhere, and have zeros in place of a
  missing sector. A sector is old or new, never mixed; synced data is never damaged.
- Of the changes of a folder's names since its last sync, the first few survive in order, as with a journal. Each
  change is atomic: a replaced name leads to the old file or to the new one. Changes in different folders are
  independent, and a name may survive without the content of its file (ext4 would mostly avoid this).
- Modes and owners are saved at once.

The surviving part is random for each cut: nothing, everything, or a share. Other faults of cards (losing synced
data, damaging neighbouring sectors) are not modelled.
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
    """The part of unsynced data that survives a power cut: each piece with the probability *share*, drawn by *lots*."""

    share: float
    sector: int
    lots: Random

    def spares(self) -> bool:
        """Return at random whether one more piece survives."""
        return self.lots.random() < self.share

    def first_of(self, many: int) -> int:
        """Return how many of the first *many* changes survive: a random number from 0 to *many*."""
        if self.share in (0.0, 1.0):
            return many if self.share else 0
        return self.lots.randint(0, many)


def mercy(lots: Random, share: float | None = None) -> Mercy:
    """Return a random *Mercy*: a third each of nothing, everything and a share, unless *share* is given."""
    drawn = lots.choice((0.0, 1.0, lots.uniform(0.05, 0.95)))
    return Mercy(drawn if share is None else share, lots.choice(SECTORS), lots)


@dataclass
class Node:
    """A file, folder or link on the disk."""

    mode: int
    owner: tuple[int, int] = (0, 0)
    names: int = 1
    changed_ns: int = 0


@dataclass
class Link(Node):
    """A symbolic link, which is saved together with its name."""

    target: bytes = b""

    def after_cut(self, _: Mercy) -> Link:
        """Return an equal link."""
        return Link(self.mode, self.owner, target=self.target)


@dataclass
class File(Node):
    """A file: its *seen* content, its *kept* (synced) content, and the changes since the last sync."""

    seen: bytearray = field(default_factory=bytearray)
    kept: bytearray = field(default_factory=bytearray)
    waiting: list[tuple[int, bytes] | int] = field(default_factory=list)
    """Each item is a write with its offset, or a new size."""

    def write(self, offset: int, data: bytes) -> None:
        """Write *data*, which can be read immediately."""
        _written(self.seen, offset, data)
        self.waiting.append((offset, data))

    def resize(self, size: int) -> None:
        """Truncate the file to *size*, or extend it with zeros."""
        _resized(self.seen, size)
        self.waiting.append(size)

    def sync(self) -> None:
        """Save all content."""
        for done in self.waiting:
            _do(self.kept, done)
        self.waiting.clear()

    def after_cut(self, mercy: Mercy) -> File:
        """Return the file as it is after a power cut."""
        left = bytearray(self.kept)
        for done in self.waiting:
            for part in _torn(done, mercy.sector):
                if mercy.spares():
                    _do(left, part)
        return File(self.mode, self.owner, seen=left, kept=bytearray(left))


@dataclass
class Folder(Node):
    """A folder: its *seen* names, its *kept* (synced) names, and the changes since the last sync."""

    seen: dict[bytes, Node] = field(default_factory=dict)
    kept: dict[bytes, Node] = field(default_factory=dict)
    waiting: list[Mapping[bytes, Node | None]] = field(default_factory=list)
    """Each item is an atomic change: the new node of each name, or None for a removed one."""

    def rename(self, change: Mapping[bytes, Node | None]) -> None:
        """Change names to other nodes, or remove them (None), as one atomic change."""
        _renamed(self.seen, change)
        self.waiting.append(change)

    def sync(self) -> None:
        """Save all names."""
        for change in self.waiting:
            _renamed(self.kept, change)
        self.waiting.clear()

    def after_cut(self, mercy: Mercy) -> Folder:
        """Return the folder and its content as they are after a power cut."""
        left = dict(self.kept)
        for change in self.waiting[: mercy.first_of(len(self.waiting))]:
            _renamed(left, change)
        found = {name: _after_cut(node, mercy) for name, node in left.items()}
        return Folder(self.mode, self.owner, seen=found, kept=dict(found))


def empty_disk() -> Folder:
    """Return an empty disk."""
    return Folder(FOLDER_MODE)


def unsynced(folder: Folder) -> int:
    """Return the number of changes that a power cut may lose."""
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
    """Yield the pieces into which a power cut can split one change."""
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
