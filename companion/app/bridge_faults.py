"""What the bridge finds wrong, told as the end of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.app.exit_codes import BadUse, Failed


@contextmanager
def bridge_faults(option: str = "") -> Iterator[None]:
    """Tell bad input as `BadUse`, of *option* where the sentence does not say it, and a lost wire as `Failed`."""
    from firmware_bridge.kernel.errors import BadInput, WireLost

    try:
        yield
    except BadInput as fault:
        raise BadUse(f"{option}: {fault}" if option else str(fault)) from None
    except WireLost as fault:
        raise Failed(str(fault)) from None


@contextmanager
def firmware_faults() -> Iterator[None]:
    """Tell as `bridge_faults` does, and of firmware: a wrong folder as `BadUse`, all else as `Failed`."""
    from firmware_bridge.firmware_image.errors import BadFolder, FirmwareFault

    with bridge_faults():
        try:
            yield
        except BadFolder as fault:
            raise BadUse(str(fault)) from None
        except FirmwareFault as fault:
            raise Failed(str(fault)) from None
