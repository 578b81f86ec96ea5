"""`make pi-arm64`: the package for a Pi's processor, emulated by qemu-user: without a kernel, and slow.

Installs it in an arm64 trixie with the command of docs/pi.md, serves a game, and runs the rules' tests with it.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

from hardware.pi.package.__main__ import BUILD as PACKAGES
from tests.browser.first_action import HEADER
from tests.package.chroot import Chroot, chroot
from tests.pi.kernel import installed
from tests.pi.package import built
from tests.pi.report import Result, Whole
from tests.pi.scenes.installing import DOCUMENT, commands

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "build" / "pi" / "arm64.html"
TARGET = ("SUITE=trixie", "ARCHITECTURE=arm64")
TESTERS = ("python3-hypothesis", "python3-pytest")
FORMATS = Path("/proc/sys/fs/binfmt_misc")
EMULATOR = "qemu-aarch64"
KIND = Path("/usr/lib/binfmt.d") / f"{EMULATOR}.conf"
PORT = 8124
PATIENCE_S = 900.0
RULES = "tests/companion/games"
BY_PROCESSES = "command_line"
"""The word in the name of each test that starts a process."""
OFFLINE = "-o Acquire::http::Proxy=http://127.0.0.1:9/ -o Acquire::https::Proxy=http://127.0.0.1:9/"
"""A proxy that doesn't exist. (With --no-download apt reads no file either: "Pathname to install is not absolute".)"""
OURS = "/usr/lib/ring-companion"


def emulated() -> None:
    """Make this machine's kernel run programs for a Pi's processor; needs root."""
    if not KIND.exists() or shutil.which("arch-test") is None:
        installed("arch-test", "qemu-user-static")
    if not (FORMATS / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", FORMATS], check=True)
    if not (FORMATS / EMULATOR).exists():
        line = next(each for each in KIND.read_text().splitlines() if each.startswith(f":{EMULATOR}:"))
        (FORMATS / "register").write_text(line)


class Arm64:
    """An arm64 system, and the steps tried on it."""

    def __init__(self, system: Chroot, package: Path) -> None:
        self._system = system
        shutil.copy(package, system.path("/root"))

    def installs(self) -> str:
        """With the command in docs/pi.md, the package installs offline on an arm64 Debian trixie."""
        line = commands(DOCUMENT.read_text(encoding="utf-8"))[0]
        typed = line.replace("sudo apt install", f"apt-get install --yes {OFFLINE}")
        self._system.run("sh", "-c", f"cd /root && {typed}")
        kind = self._system.run("dpkg-query", "-W", "-f", "${Version}, ${Architecture}", "ring-companion")
        return f"{kind}; the processor is called {self._system.run('uname', '-m').strip()}"

    def has_its_libraries(self) -> str:
        """The package's compiled libraries (also lgpio) are for arm64 and can be imported; doctor finds no problem."""
        script = f"import sys; sys.path.insert(0, '{OURS}'); import lgpio, markupsafe._speedups, zeroconf._dns"
        self._system.run("python3", "-B", "-c", script)
        texts = self._system.run("companion", "doctor").strip().splitlines()
        return f"lgpio, markupsafe, zeroconf; doctor says in its last line: {texts[-1]}"

    def serves(self) -> str:
        """The service serves its first page, and a game can be started and played."""
        words = ("--data", "/var/lib/ring-companion", "--ring", "none", "--bind", "127.0.0.1", "--port", str(PORT))
        began = time.monotonic()
        service = self._system.begin("companion", "serve", *words, "--no-mdns")
        try:
            self._asked("GET", "/")
            took = time.monotonic() - began
            self._asked("POST", "/api/v1/games", HEADER)
            for colour in ("red", "blue", "green"):
                self._asked("POST", "/api/v1/commands", {"do": "setup", "player": colour, "cards": {"p1": 3, "p2": 3}})
            self._asked("POST", "/api/v1/commands", {"do": "deal"})
            phase = json.loads(self._asked("GET", "/api/v1/state"))["phase"]
        finally:
            service.send_signal(signal.SIGTERM)
            service.communicate(timeout=PATIENCE_S)
        return f"the first page after {took:.0f} s; the cards are dealt, and the phase is {phase}"

    def keeps_the_rules(self) -> str:
        """The tests of all games' rules pass on the installed program with the arm64 Python."""
        shutil.copytree(ROOT / "tests", self._system.path("/root/tests"), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", self._system.path("/root"))
        # The command line was tested above; here each of its processes would take nearly a minute.
        those = f"-p no:cacheprovider -k 'not {BY_PROCESSES}' {RULES}"
        run = f"cd /root && PYTHONPATH={OURS} python3 -B -m pytest -q {those} 2>&1"
        return self._system.run("sh", "-c", run).strip().splitlines()[-1]

    def _asked(self, method: str, path: str, body: object = None) -> str:
        """Return the service's answer, as soon as there is one."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                with urllib.request.urlopen(self._request(method, path, body), timeout=PATIENCE_S) as answer:
                    return str(answer.read().decode())
            except urllib.error.HTTPError as refused:
                raise AssertionError(f"{method} {path}: {refused.code} {refused.read()[:300]!r}") from None
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(1)

    def _request(self, method: str, path: str, body: object) -> urllib.request.Request:
        token = self._system.path("/var/lib/ring-companion/token")
        headers = {"Authorization": f"Bearer {token.read_text().strip()}"} if token.exists() else {}
        data = None if body is None else json.dumps(body).encode()
        kind = {"Content-Type": "application/json"}
        return urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", data, {**headers, **kind}, method=method)


def tried(step: Callable[[], str]) -> Result:
    """Try *step*, and return its result."""
    began = time.monotonic()
    try:
        passed, seen = True, step()
    except (AssertionError, OSError) as fault:
        passed, seen = False, str(fault)[-2000:]
    result = Result("arm64", " ".join((step.__doc__ or "").split()), passed, seen, time.monotonic() - began)
    print(result.line(), flush=True)
    return result


def _results(steps: Sequence[Callable[[], str]]) -> tuple[Result, ...]:
    """Try the steps one after another, until one fails: each depends on those before."""
    results: list[Result] = []
    for step in steps:
        results.append(tried(step))
        if not results[-1].passed:
            break
    return tuple(results)


def main() -> int:
    """Try all steps; return the exit status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before its end"))  # so that no file system stays mounted
    began = time.monotonic()
    emulated()
    package = Path(sys.argv[1]) if sys.argv[1:] else built(*TARGET)  # a package that was built before
    with (
        tempfile.TemporaryDirectory() as scratch,
        chroot("trixie", "arm64", PACKAGES / "cache", Path(scratch), TESTERS) as system,
    ):
        prepared = (("package and trixie", time.monotonic() - began),)
        pi = Arm64(system, package)
        steps = (pi.installs, pi.has_its_libraries, pi.serves, pi.keeps_the_rules)
        results = _results(steps)
    title = "On a Pi's own kind of processor, played by this one"
    whole = Whole("qemu-user, arm64, trixie", prepared, results, time.monotonic() - began, title=title)
    print(f"{whole.summary}\nThe report: {whole.write(REPORT)}")
    return 0 if len(results) == len(steps) and all(each.passed for each in results) else 1


if __name__ == "__main__":
    sys.exit(main())
