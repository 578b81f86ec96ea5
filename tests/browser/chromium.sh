#!/bin/sh
# Has a Chromium and the fonts of the screenshots for the browser tests, installing Debian's where we may.
# The shell without a window is what tests run: a page costs it two thirds of the work.
set -eu
command -v chromium >/dev/null && command -v chromium-headless-shell >/dev/null && exit 0
. "$(dirname "$0")/../../.ci/debian.sh"
install_debian chromium chromium-headless-shell fonts-roboto fonts-dejavu-core
