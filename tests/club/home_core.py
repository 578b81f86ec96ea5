"""Runs a Home Assistant core with MQTT only: `home_core.py FOLDER PORT HTTP_PORT`, in a Python that has Home Assistant.

Each change of a state is printed as a line of JSON with the entity and its state, which is null if the entity was
removed. Each line on standard input names a button entity, which is then pressed. `home_assistant.py` starts this
program.
"""

from __future__ import annotations

import asyncio
import json
import sys

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.setup import async_setup_component


async def main(folder: str, port: int, http_port: int) -> None:
    """Run until the end of standard input."""
    config = {"http": {"server_host": "127.0.0.1", "server_port": http_port}}
    hass = core.HomeAssistant(folder)
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, config)
    hass.config.skip_pip = True
    await loader.async_get_custom_components(hass)
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [], [])
    for name in bootstrap.CORE_INTEGRATIONS:
        await async_setup_component(hass, name, config)

    def changed(event: core.Event) -> None:
        new = event.data["new_state"]
        print(json.dumps([event.data["entity_id"], None if new is None else new.state]), flush=True)

    hass.bus.async_listen("state_changed", core.callback(changed))
    if not hass.config_entries.async_entries("mqtt"):
        entry = config_entries.ConfigEntry(
            domain="mqtt",
            title="broker",
            data={"broker": "127.0.0.1", "port": port},
            options={},
            source="user",
            unique_id=None,
            version=1,
            minor_version=2,
            discovery_keys={},
            subentries_data=(),
        )
        await hass.config_entries.async_add(entry)
    else:
        await async_setup_component(hass, "mqtt", config)
    await hass.async_start()
    print(json.dumps(["started", "yes"]), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        await hass.services.async_call("button", "press", {"entity_id": line.strip()})
    await hass.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:])))
