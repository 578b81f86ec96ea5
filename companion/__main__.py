"""Start the command line: `python -m companion`."""

from companion.app.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
