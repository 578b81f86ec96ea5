#!/bin/sh
# Has the tools for HTML, CSS and JavaScript that package-lock.json names in the folder that is named: markup.sh DIR
set -eu
if ! command -v npm >/dev/null; then
    . "$(dirname "$0")/debian.sh"
    install_debian nodejs npm
fi
mkdir -p "$1"
cp package.json package-lock.json .npmrc "$1"
# Not `npm ci`: the lock names what is for Linux, and a Mac or a musl takes its own build of the same release.
npm install --prefix "$1" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
