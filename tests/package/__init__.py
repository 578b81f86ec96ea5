"""The life cycle of the Debian package in a chroot: `python -m tests.package`, not part of `make test`."""
