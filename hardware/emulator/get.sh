#!/bin/sh
# Install MicroPython's WebAssembly port, for the emulated board, into a folder: get.sh DIR
set -eu
here=$(dirname "$0")
port=$1/node_modules/@micropython/micropython-webassembly-pyscript
package=@micropython/micropython-webassembly-pyscript@1.27.0
whole() {
    (cd "$port" 2>/dev/null && sha256sum --status --check) <<SUMS
06338c955b03c5700aa0069015d3e392d76836ef8e2ce25bedbe59b88ccd373c  micropython.wasm
c2be87e7ba24e3b47d133022b009a66bff07f4720aa23d816d216ef8cc47014c  micropython.mjs
SUMS
}
if ! command -v node >/dev/null; then
    . "$here/../../.ci/debian.sh"
    install_debian nodejs npm
fi
if ! node -e 'process.exit(Number(process.versions.node.split(".")[0] < 18))'; then
    echo "The emulated board needs Node.js 18 or newer; this machine has $(node --version)." >&2
    exit 1
fi
whole && exit 0
if ! command -v npm >/dev/null; then
    echo "npm is missing: it fetches MicroPython for the emulated board. On Debian: sudo apt-get install npm" >&2
    exit 1
fi
mkdir -p "$1"
npm install --prefix "$1" --no-save --no-package-lock --no-audit --no-fund --loglevel=error "$package" >/dev/null
whole || {
    echo "What npm has brought as $package is not the MicroPython that is expected here: $port" >&2
    exit 1
}
