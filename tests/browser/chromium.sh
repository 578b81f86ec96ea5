#!/bin/sh
# Install Chromium and the fonts of the screenshots from Debian for the browser tests, if they are missing.
# Tests use chromium-headless-shell, which needs a third less time per page.
set -eu
command -v chromium >/dev/null && command -v chromium-headless-shell >/dev/null && exit 0
. "$(dirname "$0")/../../.ci/debian.sh"
install_debian chromium chromium-headless-shell fonts-roboto fonts-dejavu-core
