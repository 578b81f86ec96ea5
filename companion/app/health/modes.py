"""Who may open the files of the data folder besides whoever plays, and whose they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.app.data_folder import open_to_others, ours_in
from companion.app.health.finding import HealthFinding, care, fine, note
from companion.app.health.permissions import name_of
from companion.kernel.private_file import MODES, Modes, distrusted, modes_are_kept
from web import KEY_FILES


def mode_findings(data: Path, modes: Modes = MODES) -> Iterator[HealthFinding]:
    """Say what others may open, and what does not belong to whoever the folder belongs to."""
    if not data.is_dir():
        return
    yield from _foreign(data)
    yield from _suspect_keys(data, modes)
    wide = [f"{path.name} ({modes.mode(path):04o})" for path in open_to_others(data, modes)]
    if not wide:
        yield fine("modes", f"Only {name_of(data.stat().st_uid)} can open the games and keys in {data}.")
    elif modes_are_kept(data, modes):
        yield note("modes", f"Others can open these in {data}: {', '.join(wide)}. The next start closes them.")
    else:
        yield note(
            "modes", f"{data} is on a file system without permissions: anyone on this computer can read the games."
        )


def _suspect_keys(data: Path, modes: Modes) -> Iterator[HealthFinding]:
    """Name keys that others could read or lay there: the next start makes them anew, and that is not to wait."""
    for path in (data / name for name in KEY_FILES):
        if (path.is_symlink() or path.exists()) and (why := distrusted(path, modes)):
            yield care("keys", f"{why}: don't trust it. Restart the service to replace it.")


def _foreign(data: Path) -> Iterator[HealthFinding]:
    """Name what the owner of the folder may not be able to use: root's, after a command that was run as root."""
    owner = data.stat().st_uid
    names = [path.name for path in ours_in(data) if path.stat().st_uid != owner]
    if names:
        change = f"sudo chown --recursive {name_of(owner)}: {data}"
        yield care(
            "modes", f"{', '.join(names)} in {data} don't belong to {name_of(owner)}, who runs the service: {change}."
        )
