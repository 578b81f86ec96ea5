#!/bin/sh
# Has the engines of a living room's browsers: Firefox, WebKit (GTK's, the nearest to an iPad's) and Chromium with its driver,
# a screen for the one that wants one, and the fonts of the screenshots; installs Debian's where we may.
set -eu
missing=""
for one in firefox-esr WebKitWebDriver Xvfb chromium chromedriver; do command -v "$one" >/dev/null || missing="$missing $one"; done
[ -z "$missing" ] && exit 0
. "$(dirname "$0")/../../.ci/debian.sh"
install_debian firefox-esr webkit2gtk-driver xvfb chromium chromium-driver fonts-roboto fonts-dejavu-core
