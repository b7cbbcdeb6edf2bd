# shellcheck shell=bash
# What the guards share. A guard is a function that reads the tree in the current folder and prints one line per
# violation. guard() runs it on the real tree, where it must print nothing, and then on a copy in which a
# violation was planted, where it must print something: a guard that cannot fail guards nothing.

guard_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
guard_copy=$(mktemp -d)
trap 'rm -rf "$guard_copy"' EXIT
guard_count=0

# Files of the project, one a line: what git tracks or would, else (a copy without git) all that is not built.
tree_files() {
    git -C "$guard_top" ls-files -co --exclude-standard 2>/dev/null | grep . ||
        (cd "$guard_top" && find . -type f ! -path './build/*' ! -path '*/node_modules/*' ! -path './.git/*' | sed 's#^\./##')
}

(cd "$guard_top" && tree_files | while read -r file; do [ ! -f "$file" ] || printf '%s\0' "$file"; done |
    tar --null -T - -c) | tar -x -C "$guard_copy"

guard_result() {
    guard_count=$((guard_count + 1))
    if [ "$1" = good ]; then echo "ok $guard_count - $2"; else echo "not ok $guard_count - $2"; fi
}

# guard FUNCTION TEXT FILE PLANTED: PLANTED is added at the end of FILE in the copy; FILE may be new. There FUNCTION
# gets FILE as its argument, so that it need not read the rest once more.
guard() {
    local found saved=""
    found=$(cd "$guard_top" && "$1")
    if [ -z "$found" ]; then
        guard_result good "$2"
    else
        guard_result bad "$2"
        printf '%s\n' "$found" | head -n 40 | sed 's/^/# /'
    fi

    mkdir -p "$(dirname "$guard_copy/$3")"
    if [ -f "$guard_copy/$3" ]; then saved=$(mktemp) && cp "$guard_copy/$3" "$saved"; fi
    printf '%s\n' "$4" >>"$guard_copy/$3"
    found=$(cd "$guard_copy" && "$1" "$3" | grep -vxFf <(printf '%s\n' "$found"))
    if [ -n "$saved" ]; then mv "$saved" "$guard_copy/$3"; else rm -f "$guard_copy/$3"; fi
    if [ -n "$found" ]; then
        guard_result good "and the guard finds one that was planted"
    else
        guard_result bad "and the guard finds one that was planted"
    fi
}

guard_done() {
    echo "1..$guard_count"
}
