#!/bin/sh
# Has a Chromium and the fonts of the screenshots for the browser tests, installing Debian's where we may.
set -eu
command -v chromium >/dev/null && exit 0
. "$(dirname "$0")/../../.ci/debian.sh"
install_debian chromium fonts-roboto fonts-dejavu-core
