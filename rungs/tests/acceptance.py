"""Numbered acceptance checks of the kit: python rungs/tests/acceptance.py [NUMBER ...] [--keep FOLDER]

The checks build the wheel, install it with pip in environments of their own, and print their results. They need
the package index, a C compiler and a few minutes; so they are not part of the suite. `--keep` reuses the
environments of an earlier run in FOLDER.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

KIT = Path(__file__).resolve().parents[1]
EXAMPLE = KIT / "examples" / "thermometer"
PROMISES, MOST_LINES, WITHIN_S, IMPORT_S = 12, 100, 20.0, 0.2
PATIENCE_S, LONGEST_S = 600.0, 120.0
PROCESS = "process:python thermometer.py {pty}"
BESIDE = (
    "jumpstarter==0.9.0",
    "jumpstarter-cli==0.9.0",
    "jumpstarter-driver-composite==0.9.0",
    "jumpstarter-driver-power==0.9.0",
    "jumpstarter-driver-pyserial==0.9.0",
    "labgrid==26.0.1",
    "pytest-embedded==2.9.3",
    "pytest-embedded-serial==2.9.3",
    "pytest-reserial==0.6.1",
    "hardpy==0.25.2",
    "pytest-xdist==3.8.0",
)
CABLE = """
import sys
from pathlib import Path
from rungs.wire import Terminal
from thermometer import Thermometer
terminal, device = Terminal(Path("port")), Thermometer()
print(terminal.path, flush=True)
while True:
    terminal.wire.write(device.receive(terminal.wire.read(60.0)))
"""


def sure(value: Any, words: str) -> None:
    """Fail with *words* unless *value* is true."""
    if not value:
        raise SystemExit(f"NOT so: {words}")


class Place:
    """A folder with the wheel and the environments of this run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        source = folder / "source"
        shutil.rmtree(source, ignore_errors=True)
        shutil.copytree(KIT, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        self._call(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder / "dist", source)
        (self.wheel,) = (folder / "dist").glob("*.whl")

    def python(self, name: str, *packages: str) -> Path:
        """Return the Python of the environment *name*, with *packages* and the wheel."""
        python = self.folder / name / "bin" / "python"
        if not python.exists():
            self._call(sys.executable, "-m", "venv", self.folder / name)
            self._call(python, "-m", "pip", "install", "-q", *packages, "pytest")
        self._call(python, "-m", "pip", "install", "-q", self.wheel)
        self._call(python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", self.wheel)
        return python

    def suite(self, name: str) -> Path:
        """Return a new copy of the example."""
        folder = self.folder / "suites" / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
        return folder

    def _call(self, *words: object) -> None:
        subprocess.run([str(each) for each in words], check=True, timeout=PATIENCE_S, stderr=subprocess.DEVNULL)


def surroundings(python: Path, **more: str) -> dict[str, str]:
    """Return the environment variables with *python* first in the path, without those of Python, pytest and farms."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST", "LG_", "JMP"))}
    return {**kept, "PATH": f"{python.parent}:{kept['PATH']}", **more}


def run(python: Path, folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment of *python* in *folder*."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    how: dict[str, Any] = {"cwd": folder, "env": surroundings(python, **more), "text": True, "timeout": LONGEST_S}
    program = shutil.which(words[0], path=str(python.parent)) or words[0]
    return subprocess.run([program, *words[1:]], check=False, **streams, **how)


def pytest(python: Path, folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in *folder*."""
    return run(python, folder, "pytest", "-q", "-p", "no:cacheprovider", *words, **more)


def kept(done: subprocess.CompletedProcess[str], *rungs: str) -> str:
    """Check that a run kept all promises on *rungs* or excused them on a busy machine; return the sums."""
    excused = 0
    for rung in rungs:
        line = rf"^{re.escape(rung)}: (\d+) kept, 0 broken, 0 not applicable, (\d+) not judged"
        sums = re.findall(line, done.stdout, re.MULTILINE)[-1:]  # the sums of the last run
        judged = sum(int(each) for found in sums for each in found)
        sure(judged == PROMISES, f"{rung}: {PROMISES} kept\n{done.stdout[-4000:]}")
        excused += int(sums[0][1])
    busy = f" (but {excused} not judged, as this machine was busy)" if excused else ""
    return f"{PROMISES} kept on {', '.join(rungs)}{busy}"


@contextmanager
def started(python: Path, folder: Path, *words: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program until the end of the block."""
    program = shutil.which(words[0], path=str(python.parent)) or words[0]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(
        [program, *words[1:]], cwd=folder, env=surroundings(python, **more), text=True, **pipes
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def device(python: Path, folder: Path) -> Iterator[str]:
    """Run the thermometer at the serial port `port` in *folder*; yield the path of its terminal."""
    with started(python, folder, "python", "-c", CABLE) as process:
        yield process.stdout.readline().strip()


def free_port() -> int:
    """Return a free TCP port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def listening(port: int) -> None:
    """Wait until a program listens on a TCP port."""
    until = time.monotonic() + WITHIN_S
    while time.monotonic() < until:
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
            return
    sure(False, f"nobody listens on port {port}")


def packages(python: Path) -> set[str]:
    """Return the names of the packages that are installed in the environment of *python*."""
    listed = run(python, python.parent, "python", "-m", "pip", "list", "--format=json", "--disable-pip-version-check")
    return {each["name"] for each in json.loads(listed.stdout[listed.stdout.index("[") :].splitlines()[0])}


def check_1(place: Place) -> str:
    """The kit installs only itself and pyserial into an empty environment; its import is quick and self-contained."""
    bare = place.folder / "bare"
    shutil.rmtree(bare, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(bare)], check=True)
    python = bare / "bin" / "python"
    run(python, bare, "python", "-m", "pip", "install", "-q", "pytest")
    before = packages(python)
    place.python("bare")
    sure(packages(python) - before == {"pytest-rungs", "pyserial"}, f"one package comes: {packages(python) - before}")
    times = []
    for _ in range(5):
        began = time.monotonic()
        run(python, bare, "python", "-c", "import rungs")
        times.append(time.monotonic() - began)
    sure(min(times) < IMPORT_S, f"import rungs in {min(times):.3f} s")
    ours = "{'companion', 'firmware_bridge', 'web', 'pytest', 'serial'}"
    found = run(python, bare, "python", "-c", f"import rungs, sys; print({ours} & set(sys.modules))").stdout.strip()
    sure(found == "set()", f"nothing else is imported: {found}")
    return f"pyserial comes; python -c 'import rungs' takes {min(times):.3f} s, the interpreter included"


BLOCK = re.compile(r"^```(console|python|toml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def tutorial() -> str:
    """Return the tutorial of the README as a shell script that writes its files and runs its commands."""
    page = (KIT / "README.md").read_text(encoding="utf-8")
    steps = page.partition("\n## Tutorial")[2].partition("\n## ")[0]
    script = ["set -e"]
    for kind, text in BLOCK.findall(steps):
        if kind == "console":
            script += [line[2:] for line in text.splitlines() if line.startswith("$ ")]
        else:
            script.append(f"cat > {text.splitlines()[0][2:]} <<'END OF FILE'\n{text}END OF FILE")
    return "\n".join(script) + "\n"


def check_2(place: Place) -> str:
    """The example is short and keeps its promises on all of its rungs, in C too; the tutorial works as written."""
    python, folder = place.python("bare"), place.suite("two")
    lines = {name: len((EXAMPLE / name).read_text().splitlines()) for name in ("thermometer.py", "thermometer.c")}
    sure(max(lines.values()) <= MOST_LINES, f"a device is short: {lines}")
    subprocess.run(["cc", "-O2", "-Wall", "-o", "thermometer", "thermometer.c"], cwd=folder, check=True)
    with device(python, folder):
        rungs = ("model", PROCESS, "process:./thermometer {pty}", "serial:port")
        began = time.monotonic()
        done = pytest(python, folder, *(f"--rung={rung}" for rung in rungs))
        took = time.monotonic() - began
    kept(done, *rungs)
    sure(took < WITHIN_S, f"{took:.1f} s")
    empty = place.folder / "suites" / "tutorial"
    shutil.rmtree(empty, ignore_errors=True)
    empty.mkdir(parents=True)
    began = time.monotonic()
    done = run(python, empty, "bash", "-c", tutorial(), KIT=str(place.folder / "source"))
    sure(done.returncode == 0, done.stdout)
    kept(done, "model", PROCESS, "process:./thermometer {pty}")
    told = f"the tutorial's own words from an empty folder took {time.monotonic() - began:.0f} s of a computer"
    return f"{lines}; {kept(done, *rungs[:3])} and {rungs[3]} in {took:.1f} s; {told}"


READER = """
import re, sys
from junitparser import JUnitXml, Properties
for suite in JUnitXml.fromfile(sys.argv[1]):
    for case in suite:
        for each in case.child(Properties) or ():
            if each.name.startswith("measure."):
                value, unit, sign, limit = re.fullmatch(r"(\\S+)(?: (\\S+))? (<=|>=|==|in) (\\S+)", each.value).groups()
                print(case.name, each.name[8:], value, unit or "-", sign, limit)
"""
MORE = '''
import pytest

@pytest.mark.promise("PROTOCOL.md#4")
def test_a_button(rung):
    """A button opens the relay."""
    rung.do("press")
'''


def check_4(place: Place) -> str:
    """JUnit: a program that reads the file finds each value with its limit; the strict schema accepts the file."""
    python, folder = place.python("readers", "junitparser", "xmlschema", "pytest-randomly"), place.suite("four")
    (folder / "test_more.py").write_text(MORE)
    subprocess.run(["patch", "-sp1", "-i", "faults/relay.diff"], cwd=folder, check=True)
    strict = ("-p", "no:randomly", "-W", "error", "--rung=model", f"--rung={PROCESS}", "--rungs-report=report")
    done = pytest(python, folder, *strict, "--junitxml=case.xml")
    sure("2 failed, 22 passed, 2 skipped" in done.stdout, done.stdout[-3000:])
    (folder / "reader.py").write_text(READER)
    found = run(python, folder, "python", "reader.py", "case.xml").stdout.splitlines()
    record = json.loads((folder / "report" / "record.json").read_text())
    promises = [each for rung in record["rungs"] for each in rung["promises"]]
    values = [value for promise in promises for value in promise["measured"]]
    sure(len(found) == len(values) > 0, f"each value is found: {found}")
    pytest(python, folder, *strict, "--junitxml=suite.xml", "--rungs-junit=suite")
    schema = jenkins_schema(place)
    faults = {name: schema_faults(python, folder, schema, name) for name in ("suite.xml", "case.xml")}
    sure(faults["suite.xml"] == 0, f"the schema accepts suite.xml: {faults}")
    return (
        f"{len(found)} values with units and limits by {len(READER.splitlines()) - 1} lines, for instance `{found[0]}`;"
        f" junit-10.xsd refuses {faults['case.xml']} cases with properties, and nothing with --rungs-junit=suite"
    )


def jenkins_schema(place: Place) -> Path:
    """Return the schema of Jenkins' xUnit plugin from pytest's source archive."""
    folder = place.folder / "sources"
    if not folder.exists():
        wanted = ("--no-deps", "--no-binary", "pytest", "pytest==9.0.2")
        command = [sys.executable, "-m", "pip", "download", "-q", *wanted, "-d", str(folder)]
        subprocess.run(command, check=True, timeout=PATIENCE_S, stderr=subprocess.DEVNULL)
        shutil.unpack_archive(next(folder.glob("*.tar.gz")), folder, filter="data")
    return next(folder.rglob("junit-10.xsd"))


def schema_faults(python: Path, folder: Path, schema: Path, name: str) -> int:
    """Return the number of errors that *schema* finds in a file."""
    code = f"import xmlschema; print(sum(1 for _ in xmlschema.XMLSchema({str(schema)!r}).iter_errors({name!r})))"
    return int(run(python, folder, "python", "-c", code).stdout)


NEEDS = '''
import pytest

@pytest.mark.promise("PROTOCOL.md#4")
@pytest.mark.needs("power")
def test_power(rung):
    """The relay is open after a power cut."""
'''


def check_5(place: Place) -> str:
    """The sentence about a capability that a rung lacks is in the terminal, in JUnit, in JSON and on the page."""
    python, folder = place.python("bare"), place.suite("five")
    (folder / "test_needs.py").write_text(NEEDS)
    with device(python, folder):
        asked = ("test_needs.py", "--rung=serial:port", "-rs", "--rungs-report=report", "--junitxml=junit.xml")
        done = pytest(python, folder, *asked)
    sentence = "Nothing on this bench switches the power of a device at a serial port."
    sure(sentence in done.stdout, done.stdout)
    sure(f'message="{sentence}"' in (folder / "junit.xml").read_text(), "JUnit has the sentence")
    promise = json.loads((folder / "report" / "record.json").read_text())["rungs"][0]["promises"][0]
    sure((promise["outcome"], promise["reason"]) == ("not applicable", sentence), f"JSON: {promise}")
    sure(sentence in (folder / "report" / "report.html").read_text(), "the page has the sentence")
    return f"`{sentence}` in -rs, <skipped message>, record.json and report.html"


ORDERS = """
import os, pytest
AFTER = ("pass", "assert False", "pytest.skip('enough')", "raise SystemExit", "raise MemoryError", "rung.do('kick')")

@pytest.mark.parametrize("after", AFTER * 3)
def test_order(host, rung, after):
    with open(os.environ["FOUND"], "a") as file:
        print(host.ask("LIMIT"), file=file)
    assert host.ask("LIMIT 99") == "OK"
    exec(after)
"""


def check_6(place: Place) -> str:
    """Every test starts with the device's initial settings, in any order and however the previous test ended."""
    python = place.python("readers", "junitparser", "xmlschema", "pytest-randomly")
    folder = place.suite("six")
    (folder / "test_orders.py").write_text(ORDERS)
    found = folder / "found"
    seeds = 10
    with device(python, folder):
        rungs = [f"--rung={rung}" for rung in ("model", PROCESS, "serial:port")]
        for seed in range(seeds):
            pytest(python, folder, "test_orders.py", *rungs, f"--randomly-seed={seed}", FOUND=str(found))
    lines = found.read_text().splitlines()
    sure(set(lines) == {"LIMIT 30.00"}, f"each test finds LIMIT 30.00: {set(lines)}")
    sure(len(lines) == seeds * 3 * 6 * 3, f"{len(lines)} tests ran")
    return f"{len(lines)} tests in {seeds} random orders on three rungs, each found the limit of a start"


HEARS = """
import sys
from rungs.wire import Terminal
terminal, heard = Terminal(), b""
print(terminal.path, flush=True)
while len(heard) < 950:
    heard += terminal.wire.read(20.0)
print(heard.hex(), flush=True)
"""
SAYS = """
import sys, time
from rungs.wire import open_wire
wire = open_wire(sys.argv[1])
wire.write(bytes(range(32, 127)) * 10)
wire.read(2.0)
"""


def check_8(place: Place) -> str:
    """The same seed damages the same bytes on a pty and over TCP, and replaying a capture gives the same verdicts."""
    python, folder = place.python("bare"), place.suite("eight")
    spoilt = []
    for end in ("pty", "tcp") * 2:
        with started(python, folder, "python", "-c", HEARS) as hears:
            port = hears.stdout.readline().strip()
            where = ("--pty", "line") if end == "pty" else ("--tcp", "127.0.0.1:0")
            with started(python, folder, "rungs", "proxy", port, *where, "--damage", "1%", "--seed", "7") as proxy:
                address = proxy.stdout.readline().strip()
                url = address if end == "pty" else f"socket://{address}"
                with started(python, folder, "python", "-c", SAYS, url):
                    spoilt.append(bytes.fromhex(hears.stdout.readline()))
    sent = bytes(range(32, 127)) * 10
    hit = sum(a != b for a, b in zip(sent, spoilt[0], strict=True))
    sure(len(set(spoilt)) == 1 and hit, f"the same bytes are hit: {hit}")
    with device(python, folder), started(
        python, folder, "rungs", "proxy", "port", "--pty", "line", "--damage", "1%", "--seed", "7", "--capture", "c.log"
    ) as proxy:  # fmt: skip
        proxy.stdout.readline()
        pytest(python, folder, "--rung=serial:line", "--rungs-load=0", "--rungs-report=report")
        live = verdicts(folder)
        proxy.communicate("quit\n")
    pytest(python, folder, "--rung=replay:c.log", "--rungs-report=report")
    sure(verdicts(folder) == live, f"the same verdicts: {live} and {verdicts(folder)}")
    sums = {word: list(live.values()).count(word) for word in sorted(set(live.values()))}
    return f"{hit} of {len(sent)} bytes hit, the same in all four runs; the capture of a run gives its verdicts, {sums}"


def verdicts(folder: Path) -> dict[str, str]:
    """Return the outcome of each promise in the last run."""
    (rung,) = json.loads((folder / "report" / "record.json").read_text())["rungs"]
    return {promise["id"]: promise["outcome"] for promise in rung["promises"]}


WAITS = "def test_waits(rung):\n    print('here', flush=True)\n    rung.wait(600)\n"


def check_9(place: Place) -> str:
    """The second run at a bench waits, names the first run, and continues when the first run is killed."""
    python, folder = place.python("bare"), place.suite("nine")
    (folder / "test_waits.py").write_text(WAITS)
    lock = ("--rungs-lock=bench.lock", "--rungs-wait=60")
    with device(python, folder):
        first = ("python", "-m", "pytest", "-s", "test_waits.py", "--rung=serial:port", *lock)
        second = ("python", "-m", "pytest", "test_thermometer.py", "--rung=serial:port", *lock)
        with started(python, folder, *first) as holds:
            next(line for line in holds.stdout if "here" in line)
            with started(python, folder, *second) as waits:
                told = next(line for line in waits.stdout if line.startswith("Waiting")).strip()
                sure(f"process {holds.pid}," in told, told)
                holds.send_signal(signal.SIGKILL)
                rest = waits.stdout.read()
    finished = subprocess.CompletedProcess(second, 0, rest)
    return f"`{told}`; after kill -9 the second run: {kept(finished, 'serial:port')}"


def check_10(place: Place) -> str:
    """No option of the kit conflicts with the options of other plugins, and the example passes on two workers."""
    python, folder = place.python("farm", *BESIDE), place.suite("ten")
    told = pytest(python, folder, "--help").stdout
    sure("--rungs-report=DIR" in told and "--lg-env" in told and "--embedded-services" in told, told[-2000:])
    rungs = ("model", PROCESS, "serial:port")
    plain = place.folder / "suites" / "plain"
    plain.mkdir(exist_ok=True)
    (plain / "test_plain.py").write_text("def test_plain():\n    pass\n")
    # Labgrid and pytest-embedded have a fixture `target` each; the order of their packages decides which one is used.
    # Labgrid skips every test, with our plugin and without it.
    alone = pytest(python, plain, "-p", "no:rungs", "-rs").stdout
    off = (
        ("labgrid", "pytest_embedded") if "missing environment config" in alone else ("labgrid", "pytest_embedded", "")
    )
    for other in off:
        with device(python, folder):
            less = ("-p", f"no:{other}") if other else ()
            kept(pytest(python, folder, *less, "-n", "2", *(f"--rung={rung}" for rung in rungs)), *rungs)
    return (
        f"--help, and {PROMISES} kept on each of {len(rungs)} rungs with -n 2, with all of {len(BESIDE)} packages"
        f" installed, and each of these switched off in turn: {', '.join(other or 'nothing' for other in off)}"
    )


EXPORTER = """
apiVersion: jumpstarter.dev/v1alpha1
kind: ExporterConfig
metadata: {{namespace: default, name: bench}}
export:
  serial:
    type: jumpstarter_driver_pyserial.driver.PySerial
    config: {{url: {port}}}
  simulated:
    type: pytest_rungs_jumpstarter.driver.Rung
    config: {{rung: "process:python thermometer.py {{pty}}"}}
  power:
    type: jumpstarter_driver_power.driver.MockPower
"""
LABGRID = """
imports: [pytest_rungs_labgrid.driver]
targets:
  main:
    resources:
      RawSerialPort: {{port: {port}, speed: 115200}}
    drivers:
      SerialDriver: {{}}
  simulated:
    drivers:
      RungDriver: {{rung: "process:python thermometer.py {{pty}}"}}
"""
PLACE = """
options: {{coordinator_address: "{coordinator}"}}
targets:
  main:
    resources:
      RemotePlace: {{name: bench}}
    drivers:
      SerialDriver: {{}}
"""
EXPORTED = """
desk:
  NetworkSerialPort: {{host: 127.0.0.1, port: {tcp}, speed: 115200, protocol: raw}}
"""
LOOP = """
def test_loop(wire):
    wire.write(b"one\\n")
    heard = b""
    while not heard.endswith(b"one\\n"):
        heard += wire.read(5.0)
"""


def check_11(place: Place) -> str:
    """The example passes through Jumpstarter, labgrid and pytest-embedded, and through our drivers for them."""
    python, folder = place.python("farm", *BESIDE), place.suite("eleven")
    told = []
    with device(python, folder) as port:
        (folder / "exporter.yaml").write_text(EXPORTER.format(port=port))
        rungs = ("jumpstarter:/serial", "jumpstarter:/simulated")
        words = ("-m", "pytest", "-q", "-p", "no:labgrid", "-p", "no:pytest_embedded", *(f"--rung={r}" for r in rungs))
        shell = ("jmp", "shell", "--exporter-config", "exporter.yaml", "--", "python", *words)
        told.append(kept(run(python, folder, *shell), *rungs))
        told.append(leased(python, folder, port))
        embedded = ("-p", "no:labgrid", "--embedded-services", "serial", f"--port={port}", "--rung=embedded")
        told.append(kept(pytest(python, folder, *embedded), "embedded"))
    loop = place.suite("loop")
    (loop / "test_loop.py").write_text(LOOP)
    done = pytest(python, loop, "test_loop.py", "-p", "no:labgrid", "--rung=embedded")
    sure("1 passed" in done.stdout, done.stdout)
    with device(python, folder) as port:
        told.append(over_labgrid(python, folder, port))
    return "; ".join(told)


def leased(python: Path, folder: Path, port: str) -> str:
    """Run the example on a board leased for the run; return the sums and the messages of the controller."""
    rung = "jumpstarter:board=thermometer/serial"
    with started(python, folder, "python", str(KIT / "tests" / "jumpstarter_controller.py"), port) as controller:
        said = (line.strip() for line in controller.stdout)
        next(line for line in said if line == "ready")
        off = ("-p", "no:labgrid", "-p", "no:pytest_embedded")
        told = kept(pytest(python, folder, *off, f"--rung={rung}", JMP_CLIENT_CONFIG_HOME="home"), rung)
        leases = [next(said), next(line for line in said if line == "released")]
    return f"{told} ({', '.join(leases)}; a controller of ours)"


def over_labgrid(python: Path, folder: Path, port: str) -> str:
    """Run the example on a labgrid console, on our own driver's console, and on a place of a coordinator."""
    (folder / "env.yaml").write_text(LABGRID.format(port=port))
    rungs = ("labgrid:main", "labgrid:simulated/RungDriver")
    off = ("-p", "no:pytest_embedded")
    told = kept(pytest(python, folder, *off, *(f"--rung={rung}" for rung in rungs), LG_ENV="env.yaml"), *rungs)
    where, tcp = f"127.0.0.1:{free_port()}", free_port()
    (folder / "place.yaml").write_text(PLACE.format(coordinator=where))
    (folder / "exported.yaml").write_text(EXPORTED.format(tcp=tcp))
    with ExitStack() as open_:
        open_.enter_context(started(python, folder, "labgrid-coordinator", "-l", where))
        listening(int(where.rpartition(":")[2]))
        exporter = ("labgrid-exporter", "-c", where, "-n", "desk", "exported.yaml")
        open_.enter_context(started(python, folder, *exporter))
        proxy = open_.enter_context(started(python, folder, "rungs", "proxy", "port", "--tcp", f"127.0.0.1:{tcp}"))
        proxy.stdout.readline()
        listed = (run(python, folder, "labgrid-client", "-x", where, "resources").stdout for _ in range(20))
        sure(any("desk/" in each for each in listed), "the exporter is known to the coordinator")
        for words in (("create",), ("add-match", "desk/desk/NetworkSerialPort"), ("acquire",)):
            done = run(python, folder, "labgrid-client", "-x", where, "-p", "bench", *words)
            sure(done.returncode == 0, done.stdout)
        remote = kept(pytest(python, folder, *off, "--rung=labgrid:main", LG_ENV="place.yaml"), "labgrid:main")
    return f"{told}; {remote}, a place of a coordinator on loopback"


CHECKS: dict[int, Callable[[Place], str]] = {
    1: check_1,
    2: check_2,
    4: check_4,
    5: check_5,
    6: check_6,
    8: check_8,
    9: check_9,
    10: check_10,
    11: check_11,
}


def main() -> None:
    """Run the checks with the given numbers, or all checks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, default=list(CHECKS), metavar="NUMBER")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    with ExitStack() as open_:
        folder = args.keep or Path(open_.enter_context(TemporaryDirectory(prefix="rungs-acceptance-")))
        folder.mkdir(parents=True, exist_ok=True)
        place = Place(folder.resolve())
        for number in args.numbers:
            began = time.monotonic()
            told = CHECKS[number](place)
            print(f"{number}: {told} ({time.monotonic() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
