"""A club: tables send their rows and their state to a broker, and the club collects them."""

from companion.club.connection import BrokerAddress, Connection, ConnectionView, Message, broker_address

__all__ = ["BrokerAddress", "Connection", "ConnectionView", "Message", "broker_address"]
