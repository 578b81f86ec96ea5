#!/bin/sh
# Has KiCad 9 for `make board`: this machine's own, or Debian 13's in a folder of its own: kicad.sh DIR
#
# Debian 12's KiCad 6 has no checks on its command line. The folder takes 0.8 GB and some minutes, once.
set -eu
case "$(kicad-cli version 2>/dev/null)" in 9.* | 1[0-9].*) exit 0 ;; esac
[ -x "$1/usr/bin/kicad-cli" ] && exit 0
if [ "$(id -u)" != 0 ]; then
    echo "KiCad 9 is not installed. Install it (https://www.kicad.org/download/), or run this as root for Debian 13's." >&2
    exit 1
fi
. "$(dirname "$0")/../.ci/debian.sh"
debian_mirror "KiCad"
rm -rf "$1.new"
mkdir -p "$(dirname "$1")"
mmdebstrap --quiet --variant=apt --include=kicad --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' trixie "$1.new" "$mirror"
mv "$1.new" "$1"
