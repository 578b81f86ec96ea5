#!/bin/sh
# Install the tools that build Debian packages, if they are missing.
set -eu
command -v mmdebstrap >/dev/null && command -v dpkg-deb >/dev/null && exit 0
. "$(dirname "$0")/../../../.ci/debian.sh"
install_debian mmdebstrap dpkg
