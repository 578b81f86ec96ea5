#!/bin/sh
# Create the virtual environment. Install Debian's python3-venv if it is missing and we have permission.
set -eu
python=$1 folder=$2
if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then :; else
    echo "Python 3.11 or newer is needed; '$python' is not. Name one: make PYTHON=python3.12" >&2
    exit 1
fi
if "$python" -c 'import ensurepip, venv' 2>/dev/null; then :; else
    . "$(dirname "$0")/debian.sh"
    install_debian python3-venv
fi
"$python" -m venv "$folder"
