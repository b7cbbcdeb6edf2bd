#!/usr/bin/env bash
# Compares the program with nginx serving a file of the same bytes, side by side: bench.sh PROGRAM
# Prints the table of ratio.sh from ../shared/bench, which lives beside this tree; says why when it cannot.
set -eu
cd "$(dirname "$0")/../.."

tools=../shared/bench
if [ ! -x "$tools/ratio.sh" ]; then
    echo "nothing is measured: ../shared/bench is not there"
    exit 0
fi
if ! command -v nginx >/dev/null; then
    echo "nothing is measured: nginx is not installed (apt-get install nginx-light)"
    exit 0
fi

export GPUWISE_PROGRAM=$1
# shellcheck source=tests/server_under_test.sh
. tests/server_under_test.sh
server_start --workers 1 --access-log no
work=$(mktemp -d)
port=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1")->sockport')
"$tools/nginx-static.sh" "$port" "$work" 1 &
nginx=$!
trap 'kill "$nginx" 2>/dev/null; server_abandon; rm -rf "$work"' EXIT
for path in '/gpus/rtx-3090' '/recommend?budget=1000'; do
    curl -fs "$server_url$path" >"$work/body.json"
    echo "$path, $(stat -c %s "$work/body.json") bytes: first nginx, then gpuwise"
    timeout 120 "$tools/ratio.sh" -r 7 -p "$(pgrep -P "$nginx" | head -n 1),$server_pid" \
        "http://127.0.0.1:$port/body.json" "$server_url$path"
done
echo "/recommend, a different question each time:"
timeout 120 "$tools/ratio.sh" -r 7 -m 20000 -p "$(pgrep -P "$nginx" | head -n 1),$server_pid" \
    "http://127.0.0.1:$port/body.json" "$server_url/recommend?budget=1{n}&limit=5&explain=none"
server_stop
