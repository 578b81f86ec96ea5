"""The pages on the tablet and the addresses of the service. Knows the companion only."""

from web.access import Access
from web.app import make_app
from web.gamepages import Elsewhere, GamePages, Scene
from web.lan import lan_address
from web.neighbourhood import Neighbourhood
from web.server import Service, serve
from web.streams import Streams

__all__ = [
    "Access",
    "Elsewhere",
    "GamePages",
    "Neighbourhood",
    "Scene",
    "Service",
    "Streams",
    "lan_address",
    "make_app",
    "serve",
]
