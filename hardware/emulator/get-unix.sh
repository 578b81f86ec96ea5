#!/bin/sh
# Has MicroPython's unix port in the folder that is named, unless this machine has one of its own: get-unix.sh DIR
#
# It comes from Debian 13, through the mirror of this machine's own apt, and is run by its own loader.
set -eu
command -v micropython >/dev/null && exit 0
[ -x "$1/unix/usr/bin/micropython" ] && exit 0
if ! command -v mmdebstrap >/dev/null; then
    . "$(dirname "$0")/../../.ci/debian.sh"
    install_debian mmdebstrap
fi
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -v security | head -n 1)
if [ -z "$mirror" ]; then
    echo "No Debian mirror is known to this machine's apt: MicroPython's unix port cannot be fetched." >&2
    exit 1
fi
mkdir -p "$1"
rm -rf "$1/unix.new"
mmdebstrap --quiet --variant=extract --include=micropython trixie "$1/unix.new" "$mirror"
mv "$1/unix.new" "$1/unix"
