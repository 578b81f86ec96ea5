#!/bin/sh
# Install the last Lighthouse that runs on Debian's Node.js 18 and 20 into a folder: lighthouse.sh DIR
set -eu
package=lighthouse@12.8.2
test "$(node -p "require('$1/node_modules/lighthouse/package.json').version" 2>/dev/null)" = "${package#*@}" && exit 0
mkdir -p "$1"
npm install --prefix "$1" --no-save --no-package-lock --no-audit --no-fund --loglevel=error "$package" >/dev/null
