#!/bin/sh
# Has what builds Debian packages, installing Debian's where we may.
set -eu
command -v mmdebstrap >/dev/null && command -v dpkg-deb >/dev/null && exit 0
. "$(dirname "$0")/../../../.ci/debian.sh"
install_debian mmdebstrap dpkg
