#!/usr/bin/env bash
# Rules on the files of the project: where they are, how large they are, and what they must not name.
set -u
. "${0%/*}/guard.sh"

files() { # the files of the current folder that belong to the project
    if [ "$PWD" = "$guard_top" ]; then tree_files; else find . -type f | sed 's#^\./##'; fi
}
existing() {
    files | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

top_level_names() {
    files | cut -d/ -f1 | sort -u |
        grep -vxE 'server|handlers|db|static|migrations|tests|Dockerfile|Makefile|README\.md|LICENSE|\..+' |
        sed 's/^/top-level name /'
}

large_files() {
    existing | while read -r file; do
        [ "$(stat -c %s "$file")" -le 1048576 ] || echo "$file is over 1 MiB"
    done
}

search() { # search PATTERN: where it stands in the text files of the project
    existing | tr '\n' '\0' | xargs -0 grep -nIE -- "$1" /dev/null | cut -c1-160
}

# The folder that this copy is in, and the one above where that is nobody's standard place.
machine_paths() {
    local pattern above
    pattern=$(escape "$guard_top/")
    above=$(dirname "$guard_top")
    case $above in
        / | /tmp | /var | /var/* | /usr | /usr/* | /opt | /srv | /home | /root | /mnt | /media) ;;
        *) pattern+="|$(escape "$above/")" ;;
    esac
    search "($pattern)"
}

# Hosts of package registries, by this machine's own settings.
registry_hosts() {
    local names
    names=$({
        npm config get registry 2>/dev/null
        cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null
        echo https://registry.npm''js.org
    } | grep -oE 'https?://[^/ ]+' | sed 's#^https\?://##' | sort -u | while read -r name; do escape "$name"; echo; done |
        grep . | paste -sd'|')
    search "($names)"
}

escape() {
    printf '%s' "$1" | sed 's/[.[\*^$]/\\&/g'
}

lock_without_host() {
    grep -nE '"resolved"|https?:' tests/package-lock.json
}

odd_text() { # carriage returns, tabs for layout, blanks at the end of a line
    existing | grep -E '\.(c|h|sh|mjs|js|css|html|sql|md)$' | tr '\n' '\0' | xargs -0 grep -nIE $'\r$|^\t|[ \t]+$' /dev/null
}

guard top_level_names "only the given names stand at the top" planted/file.txt x
guard large_files "no file is larger than a mebibyte" static/planted.bin "$(head -c 1100000 /dev/zero | tr '\0' x)"
guard machine_paths "no file names a path of this machine" tests/planted.sh "cat $guard_top/x"
guard registry_hosts "no file names the host of a registry" tests/planted.sh "get https://registry.npm""js.org/x"
guard lock_without_host "the lock file names no host" tests/package-lock.json '"resolved": "x"'
guard odd_text "no odd white space" server/planted.c $'int a; \r'
guard_done
