#!/bin/sh
# Has MicroPython's unix port in the folder that is named, unless this machine has one of its own: get-unix.sh DIR
#
# It comes from Debian 13, through the mirror of this machine's own apt, and is run by its own loader.
set -eu
command -v micropython >/dev/null && exit 0
[ -x "$1/unix/usr/bin/micropython" ] && exit 0
. "$(dirname "$0")/../../.ci/debian.sh"
debian_mirror "MicroPython's unix port"
mkdir -p "$1"
rm -rf "$1/unix.new"
mmdebstrap --quiet --variant=extract --include=micropython trixie "$1/unix.new" "$mirror"
mv "$1/unix.new" "$1/unix"
