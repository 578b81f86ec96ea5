#!/bin/sh
# Install MicroPython's unix port into a folder, unless this machine has one already: get-unix.sh DIR
#
# It comes from Debian 13, from the mirror that this machine's apt uses, and is run with Debian 13's own loader.
set -eu
command -v micropython >/dev/null && exit 0
[ -x "$1/unix/usr/bin/micropython" ] && exit 0
. "$(dirname "$0")/../../.ci/debian.sh"
debian_mirror "MicroPython's unix port"
mkdir -p "$1"
rm -rf "$1/unix.new"
mmdebstrap --quiet --variant=extract --include=micropython trixie "$1/unix.new" "$mirror"
mv "$1/unix.new" "$1/unix"
