#!/usr/bin/env bash
# Who may include what, by the compiler's own dependency output (STYLE.md section 2 in one table below).
set -u
. "$(dirname "$0")/guard.sh"

depend() { # depend -M|-MM FILE: what FILE includes, itself left out, one a line
    ${CC:-cc} "$1" -D_GNU_SOURCE -Ihandlers/engine -I. -x c "$2" 2>&1 |
        tr ' ' '\n' | grep -E '^[a-z/.]' | grep -vE ':$|\.c$' | while read -r path; do realpath -m --relative-to=. "$path"; done
}

project_includes() {
    local file allowed
    for file in server/*.[ch] handlers/*.[ch] handlers/engine/*.[ch] db/*.[ch]; do
        case $file in
            handlers/engine/*) allowed='handlers/engine/' ;;
            handlers/*) allowed='handlers/' ;;
            db/*) allowed='db/|handlers/engine/|handlers/limits\.h' ;;
            server/*) allowed='server/|handlers/(app|http|limits)\.h|handlers/engine/|db/' ;;
        esac
        depend -MM "$file" | grep -vE "^($allowed)" | sed "s#^#$file includes #"
    done
}

library_includes() {
    local file forbidden
    for file in server/*.[ch] handlers/*.[ch] handlers/engine/*.[ch] db/*.[ch]; do
        case $file in
            server/mhd_bridge.c) forbidden='sqlite3|jansson' ;;
            server/*.h) forbidden='sqlite3|jansson|uv|microhttpd' ;;
            server/*.c) forbidden='sqlite3|jansson|microhttpd' ;;
            db/*.h) forbidden='sqlite3|jansson|uv|microhttpd|zlib' ;;
            db/*.c) forbidden='jansson|uv|microhttpd|zlib' ;;
            handlers/engine/*) forbidden='sqlite3|jansson|uv|microhttpd|zlib|unistd|pthread|fcntl|stdio_ext' ;;
            handlers/*) forbidden='sqlite3|uv|microhttpd|zlib|unistd|pthread|fcntl' ;;
        esac
        depend -M "$file" | grep -E "/($forbidden)\.h$" | sed "s#^#$file includes #"
    done
}

# Each header compiles alone: it includes what it uses.
headers_alone() {
    local file
    for file in server/*.h handlers/*.h handlers/engine/*.h db/*.h; do
        echo "#include \"$file\"" | ${CC:-cc} -std=c17 -D_GNU_SOURCE -Ihandlers/engine -I. -fsyntax-only -x c - 2>&1 | grep error
    done
}

header_cycles() {
    local file
    for file in server/*.h handlers/*.h handlers/engine/*.h db/*.h; do
        grep -oE '^#include "[^"]+"' "$file" | cut -d'"' -f2 | while read -r name; do
            echo "$file $(realpath -m --relative-to=. "$(dirname "$file")/$name")"
        done
    done | tsort 2>&1 >/dev/null | grep -E 'loop|\.h'
}

include_guards() {
    local file
    for file in server/*.h handlers/*.h handlers/engine/*.h db/*.h tests/*.h tests/*/*.h; do
        [ -f "$file" ] || continue
        awk '/^#ifndef GPUWISE_[A-Z0-9_]+_H$/ { name = $2 } name != "" && $1 == "#define" && $2 == name { good = 1 }
            END { exit !good }' "$file" || echo "$file has no include guard GPUWISE_..._H"
    done
}

guard project_includes "parts include only what they may include of each other" \
    handlers/engine/planted.c '#include "../app.h"'
guard library_includes "libraries are included only where they belong" server/planted.c '#include <sqlite3.h>'
guard headers_alone "every header compiles alone" db/planted.h 'int planted(uint32_t number);'
guard header_cycles "no header includes itself over others" handlers/engine/error.h '#include "catalogue.h"'
guard include_guards "every header has its include guard" handlers/planted.h 'int planted(void);'
guard_done
