#!/bin/sh
# Install browsers from Debian, if they are missing: Firefox, WebKit (GTK's, the most like an iPad's) and Chromium with
# its driver. Also install Xvfb, for the browser that needs a display, and the fonts of the screenshots.
set -eu
missing=""
for one in firefox-esr WebKitWebDriver Xvfb chromium chromedriver; do command -v "$one" >/dev/null || missing="$missing $one"; done
[ -z "$missing" ] && exit 0
. "$(dirname "$0")/../../.ci/debian.sh"
install_debian firefox-esr webkit2gtk-driver xvfb chromium chromium-driver fonts-roboto fonts-dejavu-core
