"""Turn exceptions of the bridge into exit codes of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.app.exit_codes import BadUse, Failed


@contextmanager
def bridge_faults(option: str = "") -> Iterator[None]:
    """Convert errors about bad input to `BadUse`, with *option* before the message, and a lost ring to `Failed`."""
    from firmware_bridge.kernel.errors import InputError, why_lost
    from rungs.wire import WireLost

    try:
        yield
    except InputError as fault:
        raise BadUse(f"{option}: {fault}" if option else str(fault)) from None
    except WireLost as fault:
        raise Failed(str(why_lost(fault))) from None


@contextmanager
def firmware_faults() -> Iterator[None]:
    """Like `bridge_faults`, but also convert firmware errors: a wrong folder to `BadUse`, other faults to `Failed`."""
    from firmware_bridge.firmware_image.errors import BadFolder, FirmwareFault

    with bridge_faults():
        try:
            yield
        except BadFolder as fault:
            raise BadUse(str(fault)) from None
        except FirmwareFault as fault:
            raise Failed(str(fault)) from None
