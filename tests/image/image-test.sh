#!/usr/bin/env bash
# Builds the image on a Debian 13 base made here and runs it the strict way. TAP; needs root, buildah, podman,
# runc and debootstrap, no Docker engine and no image registry. Everything it makes is in one temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 1

skip() {
    echo "1..0 # SKIP $*"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "needs root for debootstrap and runc"
for program in buildah podman runc debootstrap curl; do
    command -v "$program" >/dev/null || skip "needs $program: tests/deps.sh image"
done

work=$(mktemp -d)
name=gpuwise-test-$$
storage=(--root "$work/root" --runroot "$work/run" --storage-driver overlay)
export CONTAINERS_CONF=$work/containers.conf
unset CONTAINERS_STORAGE_CONF

clean_up() {
    timeout 30 podman "${storage[@]}" rm -f -t 1 "$name" >/dev/null 2>&1
    timeout 30 podman "${storage[@]}" unmount -a >/dev/null 2>&1
    grep -o " $work/[^ ]*" /proc/mounts | sort -r | while read -r place; do umount "$place" 2>/dev/null; done
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

count=0
result() { # result STATUS TEXT: one line of TAP; answers STATUS
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
    return "$1"
}
give_up() {
    sed 's/^/# /' "$work/log" | tail -n 40
    echo "1..$count"
    exit 1
}
engine() { # engine SECONDS ARGUMENT...
    local seconds=$1
    shift
    timeout -k 10 "$seconds" podman "${storage[@]}" "$@"
}

# ulimits and runc: what a root without CAP_SYS_RESOURCE, as inside another container, can still set.
cat >"$CONTAINERS_CONF" <<'END'
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
END

# The base: what debian:trixie-slim is, made with debootstrap from the mirror that this machine's apt uses.
base=$work/base
sources=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources 2>/dev/null)
mirror=$(printf '%s\n' "$sources" | grep -vE '^ *#|security' | grep -oE 'https?://[^ ]+' | head -n 1)
timeout -k 10 400 debootstrap --variant=minbase trixie "$base" ${mirror:+"$mirror"} >"$work/log" 2>&1 ||
    skip "debootstrap cannot make Debian 13 here: $(tail -n 1 "$work/log")"
rm -rf "$base"/var/cache/apt/archives/*.deb "$base"/var/lib/apt/lists/* "$base"/usr/share/{doc,man,locale}/*
echo 'APT::Update::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };' \
    >"$base/etc/apt/apt.conf.d/docker-clean"
if [ -f /etc/apt/apt.conf ]; then cp /etc/apt/apt.conf "$base/etc/apt/apt.conf"; fi
tar -C "$base" -c . -f "$work/base.tar" && rm -rf --one-file-system "$base"
engine 120 import "$work/base.tar" docker.io/library/debian:trixie-slim >"$work/log" 2>&1
result $? "the base image is made" || give_up

build() { # build SECONDS ARGUMENT...
    local seconds=$1
    shift
    timeout -k 10 "$seconds" buildah "${storage[@]}" bud --isolation chroot --layers --pull-never --format docker \
        "$@" . >"$work/log" 2>&1
}
build 600 -t gpuwise:test
result $? "the image builds" || give_up
! grep -iE 'warning:' "$work/log" >"$work/warnings"
result $? "the program compiles on Debian 13 without a warning" || sed 's/^/# /' "$work/warnings"
build 900 --target test -t gpuwise:units
result $? "the C tests pass on Debian 13" || tail -n 40 "$work/log" | sed 's/^/# /'

port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport')
url=http://127.0.0.1:$port
mkdir "$work/data" && chown 10001:10001 "$work/data"
engine 60 run -d --name "$name" --no-healthcheck --network host --read-only --tmpfs /tmp -v "$work/data:/data" \
    --cap-drop all --security-opt no-new-privileges --memory 512m --memory-swap 512m \
    -e "GPUWISE_LISTEN=127.0.0.1:$port" localhost/gpuwise:test >"$work/log" 2>&1
result $? "it starts read-only, without capabilities, without new privileges" || give_up
for _ in $(seq 100); do
    curl -fs -o "$work/log" "$url/readyz" && break
    sleep 0.2
done
curl -fs -o "$work/log" "$url/readyz"
result $? "/readyz answers" || { engine 10 logs "$name" >"$work/log" 2>&1; give_up; }
curl -fs "$url/recommend?budget=1000" >"$work/log" && grep -q '"picks":\[{' "$work/log"
result $? "/recommend names cards"
curl -fs "$url/" | grep -qi '<html'
result $? "the page is there"

process=$(engine 10 inspect "$name" --format '{{.State.Pid}}')
grep -qE '^Uid:\s+10001\s+10001' "/proc/$process/status"
result $? "it runs as user 10001"
grep -qE '^CapEff:\s+0+$' "/proc/$process/status" && grep -qE '^NoNewPrivs:\s+1' "/proc/$process/status"
result $? "it has no capabilities and cannot gain any"
[ "$(stat -c %u "$work/data/gpuwise.db" 2>/dev/null)" = 10001 ]
result $? "its database is in the volume"
engine 20 exec "$name" gpuwise healthcheck >"$work/log" 2>&1
result $? "gpuwise healthcheck says yes" || sed 's/^/# /' "$work/log"
engine 20 inspect localhost/gpuwise:test --format '{{.HealthCheck.Test}} {{.Config.StopSignal}}' >"$work/log" 2>&1
grep -q 'gpuwise healthcheck' "$work/log"
result $? "the image has its HEALTHCHECK" || sed 's/^/# /' "$work/log"
engine 40 stop -t 15 "$name" >"$work/log" 2>&1
status=$(engine 10 inspect "$name" --format '{{.State.ExitCode}}')
[ "$status" = 0 ]
result $? "the stop signal ends it with status 0" || echo "# status $status"
engine 30 run --rm --no-healthcheck --network none --read-only -v "$work/data:/data" --cap-drop all \
    localhost/gpuwise:test migrate >"$work/log" 2>&1
result $? "the next start finds its database sound" || sed 's/^/# /' "$work/log" | tail -n 20
echo "1..$count"
