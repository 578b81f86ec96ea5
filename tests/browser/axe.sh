#!/bin/sh
# Install axe-core, which checks the accessibility of pages, into a folder: axe.sh DIR
set -eu
here=$(dirname "$0")
script=$1/node_modules/axe-core/axe.min.js
package=axe-core@4.14.1
whole() {
    echo "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c  $script" | sha256sum --status --check 2>/dev/null
}
whole && exit 0
if ! command -v npm >/dev/null; then
    . "$here/../../.ci/debian.sh"
    install_debian nodejs npm
fi
mkdir -p "$1"
npm install --prefix "$1" --no-save --no-package-lock --no-audit --no-fund --loglevel=error "$package" >/dev/null
whole || {
    echo "What npm has brought as $package is not the axe-core that is expected here: $script" >&2
    exit 1
}
