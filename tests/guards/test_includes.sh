#!/usr/bin/env bash
# Who may include what, by the compiler's own dependency output (STYLE.md section 2 is the two tables below).
# Each guard takes the files to look at, all sources when there are none.
set -u
. "${0%/*}/guard.sh"

sources() {
    [ $# -gt 0 ] || set -- server/*.[ch] server/fit/*.[ch] handlers/*.[ch] handlers/engine/*.[ch] db/*.[ch]
    printf '%s\n' "$@"
}
headers() {
    [ $# -gt 0 ] || set -- server/*.h server/fit/*.h handlers/*.h handlers/engine/*.h db/*.h
    printf '%s\n' "$@"
}

# Lines "FILE INCLUDED", over any number of headers between the two; paths of ours without "..". Those of all
# sources are asked of the compiler once.
dependencies() {
    if [ $# -gt 0 ]; then
        ask_compiler "$@"
        return
    fi
    [ -f "$guard_copy/dependencies" ] || ask_compiler >"$guard_copy/dependencies"
    cat "$guard_copy/dependencies"
}
ask_compiler() {
    sources "$@" | xargs "${CC:-cc}" -M -D_GNU_SOURCE -Ihandlers/engine -I. -x c 2>&1 |
        awk '{ for (i = 1; i <= NF; i++) {
                if ($i ~ /:$/) { file = ""; continue }
                if ($i == "\\") continue
                path = $i
                while (match(path, /[a-z_]+\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
                if (file == "") file = path; else print file, path
            } }'
}

project_includes() {
    dependencies "$@" | awk '
        $1 ~ /^handlers\/engine\// { allowed = "^handlers/engine/" }
        $1 ~ /^handlers\/[^\/]*$/ { allowed = "^handlers/" }
        $1 ~ /^db\// { allowed = "^(db/|handlers/engine/)" }
        $1 ~ /^server\/[^\/]*$/ { allowed = "^(server/[^/]*$|handlers/(app|http|limits|header_list|metrics)\\.h|handlers/engine/|db/)" }
        $1 ~ /^server\/fit\// { allowed = "^(server/(fit/|predict)|handlers/engine/|db/)" }
        $2 !~ /^\// && $2 !~ allowed { print $1 " includes " $2 }'
}

library_includes() {
    dependencies "$@" | awk '
        $1 ~ /^server\/.*\.c$/ { forbidden = "sqlite3|jansson|microhttpd" }
        $1 ~ /^server\/mhd_[a-z_]*\.c$/ { forbidden = "sqlite3|jansson" }
        $1 ~ /^server\/fit\// { forbidden = "sqlite3|jansson|microhttpd|uv|zlib|pthread" }
        $1 ~ /^server\/.*\.h$/ { forbidden = "sqlite3|jansson|uv|microhttpd" }
        $1 ~ /^db\/.*\.c$/ { forbidden = "jansson|uv|microhttpd|zlib" }
        $1 ~ /^db\/.*\.h$/ { forbidden = "sqlite3|jansson|uv|microhttpd|zlib" }
        $1 ~ /^handlers\/[^\/]*$/ { forbidden = "sqlite3|uv|microhttpd|zlib|unistd|pthread|fcntl" }
        $1 ~ /^handlers\/engine\// { forbidden = "sqlite3|jansson|uv|microhttpd|zlib|unistd|pthread|fcntl|stdio_ext" }
        $2 ~ "/(" forbidden ")\\.h$" { print $1 " includes " $2 }'
}

# Each header compiles alone: it includes what it uses.
headers_alone() {
    headers "$@" | xargs "${CC:-cc}" -std=c17 -D_GNU_SOURCE -Ihandlers/engine -I. -fsyntax-only -x c 2>&1 | grep error
}

header_cycles() {
    headers | xargs awk '/^#include "/ {
            split($0, part, "\"")
            path = FILENAME
            sub(/[^\/]*$/, "", path)
            path = path part[2]
            while (match(path, /[a-z_]+\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
            print FILENAME, path
        }' | tsort 2>&1 >/dev/null | grep -E 'loop|\.h'
}

include_guards() {
    { headers "$@"; find tests -name '*.h' ! -path '*/node_modules/*'; } | sort -u | xargs awk '
        FNR == 1 { if (file != "" && !good) print file " has no include guard GPUWISE_..._H"
            file = FILENAME; good = 0; name = "" }
        /^#ifndef GPUWISE_[A-Z0-9_]+_H$/ { name = $2 }
        name != "" && $1 == "#define" && $2 == name { good = 1 }
        END { if (!good) print file " has no include guard GPUWISE_..._H" }'
}

guard project_includes "parts include only what they may include of each other" \
    handlers/engine/planted.c '#include "../app.h"'
guard library_includes "libraries are included only where they belong" server/planted.c '#include <sqlite3.h>'
guard headers_alone "every header compiles alone" db/planted.h 'int planted(uint32_t number);'
guard header_cycles "no header includes itself over others" handlers/engine/error.h '#include "catalogue.h"'
guard include_guards "every header has its include guard" handlers/planted.h 'int planted(void);'
guard_done
