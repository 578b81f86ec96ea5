#!/bin/sh
# Install the tools for HTML, CSS and JavaScript of package-lock.json into a folder: markup.sh DIR
set -eu
if ! command -v npm >/dev/null; then
    . "$(dirname "$0")/debian.sh"
    install_debian nodejs npm
fi
mkdir -p "$1"
cp package.json package-lock.json .npmrc "$1"
# Not `npm ci`: the lock file names builds for Linux, but macOS and musl need other builds of the same release.
npm install --prefix "$1" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
