# shellcheck shell=bash
# For shell tests: starts the program under test on a free port of 127.0.0.1 with a new database, and stops it.
#
#     . "$(dirname "$0")/../server_under_test.sh"
#     server_start || { echo "1..0 # SKIP ..."; exit; }     # sets server_url, server_port, server_pid, server_folder
#     curl "$server_url/readyz"
#     server_stop && echo "ok 1 - ..."                        # faults are printed as "# ..." lines
#
# The program is GPUWISE_PROGRAM, or build/gpuwise. What counts as a fault: server_under_test.mjs.

server_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
server_program=${GPUWISE_PROGRAM:-build/gpuwise}
case $server_program in /*) ;; *) server_program=$server_top/$server_program ;; esac
server_pid=""
recorder_pid=""

# For curl and the like: sets server_url to a proxy that keeps the replies for the last test, if they are kept.
server_record() {
    [ -n "${GPUWISE_EXCHANGES:-}" ] || return 0
    mkfifo "$server_folder/recorder"
    node "$server_top/tests/recording_proxy.mjs" "$server_port" <"$server_folder/recorder" >"$server_folder/recorder_port" &
    recorder_pid=$!
    exec {recorder}>"$server_folder/recorder" # the proxy ends when this does
    local tries
    for tries in $(seq 100); do
        [ ! -s "$server_folder/recorder_port" ] || break
        sleep 0.1
    done
    [ "$tries" -lt 100 ] || return 1
    server_url=http://127.0.0.1:$(cat "$server_folder/recorder_port")
}

# server_start [FLAG...]: more arguments of `serve`
server_start() {
    server_folder=$(mktemp -d) || return 1
    (cd "$server_folder" && exec "$server_program" serve --listen 127.0.0.1:0 --db "$server_folder/test.db" "$@") \
        >/dev/null 2>"$server_folder/log" &
    server_pid=$!
    trap server_abandon EXIT
    local tries address=""
    for tries in $(seq 600); do
        address=$(sed -n 's/.*event=listening .*address="\{0,1\}\([0-9.]*:[0-9]*\).*/\1/p' "$server_folder/log" | head -n 1)
        [ -z "$address" ] || break
        kill -0 "$server_pid" 2>/dev/null || break
        sleep 0.1
    done
    if [ -z "$address" ]; then
        echo "# $server_program did not start ($tries tries)"
        sed 's/^/# /' "$server_folder/log"
        return 1
    fi
    # shellcheck disable=SC2034 # for the test that reads this file
    server_port=${address##*:}
    server_url=http://$address
    : "$server_url"
}

# Ends the server with SIGTERM; fails when it did not end with status 0 or wrote an unexpected line.
server_stop() {
    local status=0 faults tries
    if [ -n "$recorder_pid" ]; then
        exec {recorder}>&-
        wait "$recorder_pid"
        recorder_pid=""
    fi
    kill -TERM "$server_pid"
    for tries in $(seq 300); do
        kill -0 "$server_pid" 2>/dev/null || break
        sleep 0.1
    done
    [ "$tries" -lt 300 ] || kill -KILL "$server_pid"
    wait "$server_pid" || status=$?
    faults=$(grep -avE '^[a-z_]+=.*\bevent=|^event=|^$' "$server_folder/log"; grep -a -E '\blevel=(error|warn)' "$server_folder/log")
    server_pid=""
    rm -rf "$server_folder"
    [ -z "$faults" ] || printf '%s\n' "$faults" | sed 's/^/# on stderr: /'
    [ "$status" -eq 0 ] || echo "# ended with status $status"
    [ -z "$faults" ] && [ "$status" -eq 0 ]
}

server_abandon() {
    [ -z "$server_pid" ] || kill -KILL "$server_pid" 2>/dev/null
    rm -rf "$server_folder"
}
