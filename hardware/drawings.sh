#!/bin/sh
# Has OpenSCAD and Graphviz for the drawings and their tests, installing Debian's where we may.
set -eu
command -v openscad >/dev/null && command -v dot >/dev/null && exit 0
. "$(dirname "$0")/../.ci/debian.sh"
install_debian openscad graphviz
