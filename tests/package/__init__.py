"""The Debian package's whole life in a chroot: a command, `python -m tests.package`, and no part of `make test`."""
