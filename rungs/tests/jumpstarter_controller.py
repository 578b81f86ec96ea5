"""A Jumpstarter controller with one exporter, for the check of a lease: python jumpstarter_controller.py PORT

It leases the device at the serial port PORT to any client, and writes the configuration of a client into the
folder `home`: JMP_CLIENT_CONFIG_HOME=home.
"""

from __future__ import annotations

import asyncio
import sys
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
from anyio import connect_unix
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from google.protobuf import empty_pb2
from jumpstarter.common import ExporterStatus
from jumpstarter.config.exporter import ExporterConfigV1Alpha1DriverInstance
from jumpstarter.exporter import Session
from jumpstarter.streams.common import forward_stream
from jumpstarter.streams.router import RouterStream
from jumpstarter_protocol import jumpstarter_pb2, jumpstarter_pb2_grpc, router_pb2_grpc
from jumpstarter_protocol.jumpstarter.client.v1 import client_pb2, client_pb2_grpc
from jumpstarter_protocol.jumpstarter.v1 import kubernetes_pb2

OURS = "namespaces/default"
CLIENT = """
apiVersion: jumpstarter.dev/v1alpha1
kind: ClientConfig
metadata: {{namespace: default, name: bench}}
endpoint: {where}
token: any
drivers: {{unsafe: true}}
tls: {{ca: {ca}}}
"""
USER = """
apiVersion: jumpstarter.dev/v1alpha1
kind: UserConfig
config: {current-client: bench}
"""


class Controller(
    jumpstarter_pb2_grpc.ControllerServiceServicer,
    client_pb2_grpc.ClientServiceServicer,
    router_pb2_grpc.RouterServiceServicer,
):
    """Grants a lease at once. *exporter* is the path of the exporter's socket; *where* is its own address."""

    def __init__(self, exporter):
        self.exporter = exporter
        self.lease = client_pb2.Lease()
        self.where = ""

    async def CreateLease(self, request, context):  # noqa: N802 - named in the protocol
        """Lease the exporter."""
        self.lease.CopyFrom(request.lease)
        self.lease.name, self.lease.client = f"{OURS}/leases/one", f"{OURS}/clients/bench"
        self.lease.exporter = f"{OURS}/exporters/desk"
        self.lease.conditions.append(kubernetes_pb2.Condition(type="Ready", status="True"))
        print(f"leased {request.lease.selector}", flush=True)
        return self.lease

    async def GetLease(self, request, context):  # noqa: N802
        """Return the lease."""
        return self.lease

    async def DeleteLease(self, request, context):  # noqa: N802
        """Release the exporter."""
        print("released", flush=True)
        return empty_pb2.Empty()

    async def GetExporter(self, request, context):  # noqa: N802
        """Return the exporter's labels."""
        return client_pb2.Exporter(name=request.name, labels={"board": "thermometer"})

    async def Dial(self, request, context):  # noqa: N802
        """Return the address where the client reaches the exporter: this process."""
        return jumpstarter_pb2.DialResponse(router_endpoint=self.where, router_token="any")  # noqa: S106 - none is checked

    async def Stream(self, _, context):  # noqa: N802
        """Connect a client with the exporter."""
        async with (
            RouterStream(context=context) as client,
            await connect_unix(self.exporter) as exporter,
            forward_stream(client, exporter),
        ):
            pass


def certificate():
    """Return a private key and its certificate for localhost."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now, day = datetime.now(UTC), timedelta(days=1)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    return key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain), made.public_bytes(pem)


async def main(port):
    """Serve until the process is killed."""
    serial = {"type": "jumpstarter_driver_pyserial.driver.PySerial", "config": {"url": port}}
    device = ExporterConfigV1Alpha1DriverInstance.model_validate(
        {"type": "jumpstarter_driver_composite.driver.Composite", "children": {"serial": serial}}
    )
    with Session(root_device=device.instantiate()) as session:
        async with session.serve_unix_async() as exporter:
            session.update_status(ExporterStatus.LEASE_READY)
            controller, server = Controller(exporter), grpc.aio.server()
            jumpstarter_pb2_grpc.add_ControllerServiceServicer_to_server(controller, server)
            client_pb2_grpc.add_ClientServiceServicer_to_server(controller, server)
            router_pb2_grpc.add_RouterServiceServicer_to_server(controller, server)
            private, public = certificate()
            bound = server.add_secure_port("localhost:0", grpc.ssl_server_credentials(((private, public),)))
            controller.where = f"localhost:{bound}"
            await server.start()
            clients = Path("home/clients")
            clients.mkdir(parents=True)
            ca = b64encode(public).decode()
            (clients / "bench.yaml").write_text(CLIENT.format(where=controller.where, ca=ca))
            (clients.parent / "config.yaml").write_text(USER)
            print("ready", flush=True)
            await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
