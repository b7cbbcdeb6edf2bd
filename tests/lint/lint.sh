#!/usr/bin/env bash
# Second opinions on the sources. TAP: one line per tool; a tool that is not installed is skipped by name.
set -u
cd "$(dirname "$0")/../.." || exit 1

build=${GPUWISE_BUILD:-$PWD/build}
jobs=$(nproc)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
count=0
result() { # result STATUS TEXT
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -' "$log" | head -n 60 | sed 's/^/# /'
    fi
}
has() {
    command -v "$1" >/dev/null && return 0
    count=$((count + 1))
    echo "ok $count # SKIP $1 is not installed"
    return 1
}

sources=(server/*.c server/fit/*.c handlers/*.c handlers/engine/*.c db/*.c)
flags=(-std=c17 -D_GNU_SOURCE -Ihandlers/engine -I.)

if has clang-format; then
    # Other versions lay some lines out differently: only the one of Debian 12 decides.
    if clang-format --version | grep -q 'version 14\.'; then
        find server handlers db tests -name '*.[ch]' ! -path '*/node_modules/*' -print0 |
            xargs -0 clang-format --dry-run -Werror >"$log" 2>&1
        result $? "clang-format would change nothing"
    else
        count=$((count + 1))
        echo "ok $count # SKIP clang-format is not version 14"
    fi
fi
if has clang; then
    make -s -k -j"$jobs" BUILD="$build/clang" CC=clang programs >"$log" 2>&1
    result $? "clang compiles program and tests without a warning"
fi
if has clang-tidy; then
    # One file a process: clang-tidy 14 mistakes va_start() in the second file that it reads.
    printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$jobs" sh -c 'clang-tidy --quiet "$@" -- '"${flags[*]}" sh >"$log" 2>/dev/null
    result $? "clang-tidy finds nothing"
fi
if has cppcheck; then
    cppcheck -q -j "$jobs" --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
        --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches -D_GNU_SOURCE -Ihandlers/engine -I. "${sources[@]}" >"$log" 2>&1
    result $? "cppcheck finds nothing"
fi
if has shellcheck; then
    find tests .ci -type f \( -name '*.sh' -o -path .ci/run \) ! -path '*/node_modules/*' -print0 | xargs -0 shellcheck >"$log" 2>&1
    result $? "shellcheck finds nothing"
fi
if has mandoc; then
    make -s -j"$jobs" BUILD="$build" all >"$log" 2>&1 && mandoc -Tlint -Wwarning "$build/gpuwise.1" >"$log" 2>&1
    result $? "mandoc finds nothing in the manual page"
fi
if has node; then
    find tests static -type f \( -name '*.mjs' -o -name '*.js' \) ! -path '*/node_modules/*' | while read -r file; do
        # The page's scripts are modules too, named .js.
        node --input-type=module --check <"$file" || echo "in $file"
    done >"$log" 2>&1
    [ ! -s "$log" ]
    result $? "node reads every script"
fi
echo "1..$count"
