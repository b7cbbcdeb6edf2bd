#!/usr/bin/env bash
# The log's events and README.md's table of them are the same.
set -u
. "${0%/*}/guard.sh"

# The words in lower case among the texts of each call that begins a line of the log.
emitted() {
    [ $# -gt 0 ] || set -- server/*.c
    perl -0777 -ne 'while (/\b(?:log_event|put_head)\((.*?)\);$/gms) {
            my $call = $1; while ($call =~ /"([a-z]+(?:-[a-z]+)*)"/g) { print "$1\n" } }' "$@" | sort -u
}
listed() {
    sed -n '/^| event | level |/,/^$/s/^| `\([a-z-]*\)` |.*/\1/p' README.md | sort -u
}
unlisted_events() {
    emitted "$@" | comm -23 - <(listed) | sed 's/^/README.md does not list event /'
}
unknown_events() {
    listed | comm -23 - <(emitted) | sed 's/^/README.md lists what nobody logs: /'
}
guard unlisted_events "every event of the log is listed" server/planted.c \
    'log_event(log, LOG_INFO, "planted-event", "%s", "");'
guard unknown_events "every event listed is logged" README.md $'| event | level | when | keys |\n| --- | --- | --- | --- |\n| `planted` | info | x | x |\n'
guard_done
