"""Runs in a machine: reads requests as lines of JSON from a serial line, and answers each with a line."""

import http.client
import json
import os
import subprocess
import sys
import tty
from pathlib import Path


def run(told):
    """Run a command, and return its status and output."""
    shell = ["/bin/bash", "-c"] if told["user"] == "root" else ["runuser", "-l", told["user"], "-c"]
    try:
        done = subprocess.run(
            [*shell, told["run"]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=told["timeout"],
        )
    except subprocess.TimeoutExpired as late:
        return {"status": -1, "out": (late.output or b"").decode(errors="replace") + f"\nno end after {late.timeout} s"}
    return {"status": done.returncode, "out": done.stdout.decode(errors="replace")}


def ask(told):
    """Send a request to the service on this machine, and return the answer; status 0 if there is none."""
    connection = http.client.HTTPConnection(told["host"], told["port"], timeout=told["timeout"])
    try:
        connection.request(told["method"], told["path"], told["body"].encode(), told["headers"])
        answer = connection.getresponse()
        return {
            "status": answer.status,
            "headers": answer.getheaders(),
            "body": answer.read().decode(errors="replace"),
        }
    except (OSError, http.client.HTTPException) as fault:
        return {"status": 0, "headers": [], "body": str(fault)}
    finally:
        connection.close()


def main(path):
    """Answer requests until the machine stops."""
    line = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)
    say(line, {"hello": Path("/proc/sys/kernel/random/boot_id").read_text().strip()})
    with os.fdopen(line, "rb", closefd=False) as words:
        for word in words:
            told = json.loads(word)
            say(line, {"id": told["id"], **(run(told) if "run" in told else ask(told))})


def say(line, answer):
    """Write one complete line."""
    data = json.dumps(answer).encode() + b"\n"
    while data:
        data = data[os.write(line, data) :]


main(sys.argv[1])
