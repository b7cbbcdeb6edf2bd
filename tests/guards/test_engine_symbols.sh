#!/usr/bin/env bash
# The engine is pure: the object files of handlers/engine need each other and the listed functions of the C
# library, nothing that reads, writes, waits, or asks for the time. Reads the plain build, GPUWISE_BUILD.
set -u
. "${0%/*}/guard.sh"

build=${GPUWISE_BUILD:-$guard_top/build}
objects=("$build"/handlers/engine/*.o)
if [ ! -f "${objects[0]}" ]; then
    echo "1..0 # SKIP no object files under $build: make all"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work" "$guard_copy"' EXIT

foreign_symbols() { # in the objects of the build, and in planted.c of the copy
    local list=("${objects[@]}")
    if [ -f handlers/engine/planted.c ]; then
        ${CC:-cc} -c -o "$work/planted.o" handlers/engine/planted.c
        list+=("$work/planted.o")
    fi
    nm -u "${list[@]}" | awk 'NF == 2 { print $2 }' | sed 's/@.*//' | sort -u >"$work/needed"
    nm --defined-only "${list[@]}" | awk 'NF == 3 { print $3 }' | sort -u >"$work/own"
    comm -23 "$work/needed" "$work/own" | grep -vxFf <(grep -v '^#' tests/guards/engine_symbols.txt)
}

guard foreign_symbols "the engine needs only the listed functions of the C library" \
    handlers/engine/planted.c $'#include <stdio.h>\nint planted(void);\nint planted(void) { return puts("x"); }'
guard_done
