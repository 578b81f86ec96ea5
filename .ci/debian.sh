# Installs Debian packages as root or through sudo, or says plainly which are missing. Sourced, not run.
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
