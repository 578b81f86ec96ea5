#!/bin/sh
# Build MicroPython for a Raspberry Pi Pico from the source packages of Debian 13: build_uf2.sh DIR -> DIR/micropython.uf2
#
# The official UF2 from micropython.org is better; this is for machines that cannot download it. This one has no TLS, no
# cryptography except SHA-256, and only the frozen modules of the port and asyncio, because Debian's package omits the
# others. Everything else is version 1.25.0. The script needs Debian 12 or 13, root, 3 GB during the build, some minutes.
set -eu
if [ "$(id -u)" != 0 ]; then
    echo "Building MicroPython takes root, for a Debian 13 in a folder. Or download the makers' UF2: docs/firmware.md" >&2
    exit 1
fi
. "$(dirname "$0")/../../../.ci/debian.sh"
debian_mirror "MicroPython's source"
mkdir -p "$1"
root=$(cd "$1" && pwd)/debian
rm -rf "$root"
mmdebstrap --quiet --variant=apt --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --include=gcc-arm-none-eabi,libnewlib-arm-none-eabi,libstdc++-arm-none-eabi-newlib,cmake,make,python3 \
    --include=build-essential,dpkg-dev,pico-sdk-source,tinyusb-source,picotool \
    trixie "$root" "deb $mirror trixie main" "deb-src $mirror trixie main"
cat > "$root/root/build.sh" <<'BUILD'
set -eu
mkdir /root/build
cd /root/build
apt-get update -qq
apt-get source -qq --download-only micropython 2>/dev/null
dpkg-source --extract micropython_*.dsc micropython >/dev/null
cd micropython
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -S Timestamp)
export SOURCE_DATE_EPOCH
rm -rf lib/pico-sdk lib/tinyusb
ln -s /usr/src/pico-sdk lib/pico-sdk
ln -s /usr/src/tinyusb lib/tinyusb
touch lib/micropython-lib/README.md # the build requires the file, but Debian's package omits it
sed -i -e 's/^set(MICROPY_SSL_MBEDTLS ON)/set(MICROPY_SSL_MBEDTLS OFF)/' -e '/mbedtls_port.c/d' \
    -e '/micropy_lib_mbedtls)/d' ports/rp2/CMakeLists.txt
sed -i -E 's/^(#define MICROPY_(PY_HASHLIB_SHA1|PY_CRYPTOLIB|SSL_MBEDTLS|PY_SSL) +)\(1\)/\1(0)/' \
    ports/rp2/mpconfigport.h
cat > /root/build/manifest.py <<'MANIFEST'
freeze("$(PORT_DIR)/modules")
include("$(MPY_DIR)/extmod/asyncio")
MANIFEST
make -C mpy-cross -j"$(nproc)"
cmake -S ports/rp2 -B /root/build/out -DMICROPY_BOARD=RPI_PICO -DMICROPY_FROZEN_MANIFEST=/root/build/manifest.py
make -C /root/build/out -j"$(nproc)"
dpkg-query -W -f '${Package} ${Version}\n' gcc-arm-none-eabi libnewlib-arm-none-eabi picotool pico-sdk-source \
    tinyusb-source >/root/build/packages
echo "micropython $(dpkg-parsechangelog -S Version)" >>/root/build/packages
BUILD
if ! chroot "$root" sh /root/build.sh >"$1/build.log" 2>&1; then
    echo "MicroPython could not be built: $1/build.log tells." >&2
    exit 1
fi
cp "$root/root/build/out/firmware.uf2" "$1/micropython.uf2"
cp "$root/root/build/packages" "$1/packages.txt"
rm -rf "$root"
cat "$1/packages.txt"
sha256sum "$1/micropython.uf2"
