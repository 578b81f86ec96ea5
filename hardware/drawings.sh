#!/bin/sh
# Install OpenSCAD and Graphviz from Debian for the drawings and their tests, if they are missing.
set -eu
command -v openscad >/dev/null && command -v dot >/dev/null && exit 0
. "$(dirname "$0")/../.ci/debian.sh"
install_debian openscad graphviz
