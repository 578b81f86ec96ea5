"""Turn exceptions of the bridge into exit codes of a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.app.exit_codes import BadUse, Failed


@contextmanager
def bridge_faults(option: str = "") -> Iterator[None]:
    """Turn bad input into `BadUse`, prefixed with *option*, and a lost wire into `Failed`."""
    from firmware_bridge.kernel.errors import BadInput, why_lost
    from rungs.wire import WireLost

    try:
        yield
    except BadInput as fault:
        raise BadUse(f"{option}: {fault}" if option else str(fault)) from None
    except WireLost as fault:
        raise Failed(str(why_lost(fault))) from None


@contextmanager
def firmware_faults() -> Iterator[None]:
    """Like `bridge_faults`; also turn a wrong firmware folder into `BadUse` and other firmware faults into `Failed`."""
    from firmware_bridge.firmware_image.errors import BadFolder, FirmwareFault

    with bridge_faults():
        try:
            yield
        except BadFolder as fault:
            raise BadUse(str(fault)) from None
        except FirmwareFault as fault:
            raise Failed(str(fault)) from None
