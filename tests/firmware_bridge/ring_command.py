"""The command line of rings alone, so that a virtual ring can run as a process of its own."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from companion.app.cli.ring import add_ring_commands


def main() -> int:
    """Run `ring ...` and return its exit status."""
    parser = argparse.ArgumentParser(prog="companion")
    add_ring_commands(parser.add_subparsers(required=True))
    options = parser.parse_args()
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
