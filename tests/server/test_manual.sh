#!/usr/bin/env bash
# The manual page: complete, clean for whoever formats it here, and installed where man looks.
set -u
cd "$(dirname "$0")/../.." || exit 1

program=${GPUWISE_PROGRAM:-build/gpuwise}
build=${GPUWISE_BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
result() { # result STATUS TEXT [FILE]
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else
        echo "not ok $count - $2"
        [ $# -lt 3 ] || sed 's/^/# /' "$3" | head -n 20
    fi
}
skip() {
    count=$((count + 1))
    echo "ok $count # SKIP $1"
}

"$program" man >"$work/gpuwise.1" 2>"$work/log"
result $? "it is printed" "$work/log"
[ ! -s "$work/log" ]
result $? "and nothing else" "$work/log"

for section in NAME SYNOPSIS DESCRIPTION COMMANDS OPTIONS ENVIRONMENT FILES "EXIT STATUS" EXAMPLES; do
    grep -qx ".Sh $section" "$work/gpuwise.1" || echo "no section $section"
done >"$work/log"
[ ! -s "$work/log" ]
result $? "every section is there" "$work/log"

"$program" --help | awk '
    /^commands:/ { part = 1; next }
    /^settings/ { part = 2; next }
    part == 1 && /^  [a-z]/ { print ".It Cm " $1 }
    part == 2 && /^  --/ { print ".It Fl -" substr($1, 3) }
    /^flags of/ { part = 2; next }
    part == 2 && /GPUWISE_/ { sub(",", "", $1); print ".It Ev " $1 }' >"$work/wanted"
while read -r line; do
    grep -qE "^$line( |\$)" "$work/gpuwise.1" || echo "no line $line"
done <"$work/wanted" >"$work/log"
[ "$(wc -l <"$work/wanted")" -gt 20 ] && [ ! -s "$work/log" ]
result $? "every command, setting and variable of --help is in it" "$work/log"

if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning "$work/gpuwise.1" >"$work/log" 2>&1
    result $? "mandoc finds nothing" "$work/log"
else
    skip "mandoc is not installed"
fi
if command -v groff >/dev/null; then
    groff -mandoc -ww -z -Tutf8 "$work/gpuwise.1" >"$work/log" 2>&1 && [ ! -s "$work/log" ]
    result $? "groff finds nothing" "$work/log"
else
    skip "groff is not installed"
fi

unset MAKEFLAGS MFLAGS MAKELEVEL
if [ -x "$build/gpuwise" ]; then
    make -s BUILD="$build" DESTDIR="$work/root" PREFIX=/usr install >"$work/log" 2>&1
    result $? "make install" "$work/log"
    (cd "$work/root" && find . -type f -printf '%M %P\n' | sort) >"$work/files"
    printf '%s\n' '-rw-r--r-- usr/share/doc/gpuwise/LICENSE' '-rw-r--r-- usr/share/doc/gpuwise/README.md' \
        '-rw-r--r-- usr/share/man/man1/gpuwise.1' '-rwxr-xr-x usr/bin/gpuwise' | sort | diff - "$work/files" >"$work/log"
    result $? "puts four files below DESTDIR and PREFIX, and no other" "$work/log"
    "$work/root/usr/bin/gpuwise" version >"$work/log" 2>&1 && cmp -s "$build/gpuwise.1" "$work/root/usr/share/man/man1/gpuwise.1"
    result $? "which are the program and its page" "$work/log"
else
    skip "nothing is built in $build"
fi
echo "1..$count"
