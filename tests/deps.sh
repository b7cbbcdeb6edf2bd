#!/usr/bin/env bash
# Installs the Debian packages that a set of targets needs: deps.sh run|test|accuracy|check|image ...
# Silent and quick when nothing is missing. Without root or sudo: one line that says what to install, exit 2.
set -eu

declare -A packages=(
    [run]="gcc libc6-dev make libmicrohttpd-dev libuv1-dev libjansson-dev libsqlite3-dev zlib1g-dev libcrypt-dev"
    [test]="perl curl procps sqlite3 libfaketime chromium fonts-noto-cjk fonts-inter"
    [accuracy]="python3"
    [check]="clang llvm clang-format clang-tidy cppcheck shellcheck valgrind mandoc"
    [image]="buildah podman runc debootstrap iproute2"
)

has_node() { # Node.js of any origin will do; Debian 12 has 18
    command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2>/dev/null
}

wanted=()
for set in "$@"; do
    read -ra names <<<"${packages[$set]}"
    wanted+=("${names[@]}")
    if [ "$set" = test ] && ! has_node; then
        wanted+=(nodejs npm)
    fi
done
installed=" $(dpkg-query -W -f '${Package}=${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null | tr '\n' ' ') "
missing=()
for package in "${wanted[@]}"; do
    case $installed in *" $package=installed "*) ;; *) missing+=("$package") ;; esac
done
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=(env)
elif sudo -n true 2>/dev/null; then
    as_root=(sudo -n env)
else
    as_root=()
fi
if [ ${#as_root[@]} -eq 0 ] || ! command -v apt-get >/dev/null; then
    echo "gpuwise needs these Debian packages: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 2
fi

# RUNLEVEL=1 keeps packages from starting daemons.
install() {
    "${as_root[@]}" RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}" </dev/null
}
update() {
    "${as_root[@]}" apt-get update -q
}

echo "installing: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Lists that are missing or older than a day are renewed first; others when a download fails.
if [ -z "$(find /var/lib/apt/lists -name '*_Packages*' -ctime -1 2>/dev/null | head -n 1)" ]; then
    update >"$log" 2>&1 || { cat "$log" >&2; exit 2; }
fi
install >"$log" 2>&1 || { update && install; } >>"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    echo "could not install: ${missing[*]}" >&2
    exit 2
}
