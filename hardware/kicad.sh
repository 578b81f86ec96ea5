#!/bin/sh
# Install KiCad 9 of Debian 13 into a folder for `make board`, unless this machine has it: kicad.sh DIR
#
# KiCad 6 of Debian 12 cannot run checks from the command line. The folder needs 0.8 GB and some minutes.
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
