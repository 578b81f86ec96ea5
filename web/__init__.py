"""The web server: pages for tablets and phones, and the HTTP API. It imports only the companion."""

from web.app import make_app
from web.auth.pin import KEY_FILES, HostPin
from web.request.game_pages import Elsewhere, GameCover, Scene
from web.server.making import Workshop
from web.server.mdns import Mdns, lan_address
from web.server.service import Service, serve
from web.server.sse import SseStreams

__all__ = [
    "KEY_FILES",
    "Elsewhere",
    "GameCover",
    "HostPin",
    "Mdns",
    "Scene",
    "Service",
    "SseStreams",
    "Workshop",
    "lan_address",
    "make_app",
    "serve",
]
