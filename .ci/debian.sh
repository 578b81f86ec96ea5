# Functions that install Debian packages, or name the missing ones, and find a Debian mirror. To be sourced.
install_debian() {
    if [ "$(id -u)" = 0 ]; then as_root=""; elif sudo -n true 2>/dev/null; then as_root="sudo"; else
        echo "Missing on this machine: $*. Install with: sudo apt-get install $*" >&2
        return 1
    fi
    if ! command -v apt-get >/dev/null; then
        echo "Missing on this machine: $* (Debian's names). Install them and run this again." >&2
        return 1
    fi
    $as_root apt-get update -qq
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends "$@" >/dev/null
}

# Install mmdebstrap and set $mirror to the Debian mirror of this machine's apt, or print what cannot be fetched.
debian_mirror() {
    command -v mmdebstrap >/dev/null || install_debian mmdebstrap || return 1
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -v security | head -n 1)
    [ -n "$mirror" ] && return
    echo "No Debian mirror is known to this machine's apt: $1 cannot be fetched." >&2
    return 1
}
