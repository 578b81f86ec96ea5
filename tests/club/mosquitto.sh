#!/bin/sh
# Install Mosquitto from Debian for the tests of clubs, if it is missing. They start brokers of their own, so the one
# that the package starts is stopped.
set -eu
PATH="$PATH:/usr/sbin"
command -v mosquitto >/dev/null && exit 0
. "$(dirname "$0")/../../.ci/debian.sh"
install_debian mosquitto
[ ! -d /run/systemd/system ] || $as_root systemctl disable --quiet --now mosquitto
