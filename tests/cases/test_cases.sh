#!/usr/bin/env bash
# The acceptance cases from user reports, which live beside this tree, against the program.
set -u
# shellcheck source=tests/server_under_test.sh
. "${0%/*}/../server_under_test.sh"

PASSED_MIN=26 # those left need /compare and /deal
cases=$server_top/../shared/cases/run_cases.py
if [ ! -f "$cases" ] || ! command -v python3 >/dev/null; then
    echo "1..0 # SKIP ../shared/cases or python3 is not there"
    exit 0
fi
echo "1..2"
# shellcheck disable=SC2119 # no flags
if ! server_start || ! server_record; then
    echo "Bail out! the program does not start"
    exit 1
fi
answers=$(timeout 300 python3 "$cases" "$server_url" 2>&1)
printf '%s\n' "$answers" | sed 's/^/# /'
passed=$(printf '%s\n' "$answers" | sed -n 's/^\([0-9]*\) passed, .*/\1/p' | tail -n 1)
if [ "${passed:-0}" -ge "$PASSED_MIN" ]; then
    echo "ok 1 - $passed of the cases pass, at least $PASSED_MIN"
else
    echo "not ok 1 - ${passed:-0} of the cases pass, at least $PASSED_MIN"
fi
if server_stop; then echo "ok 2 - the server behaved"; else echo "not ok 2 - the server behaved"; fi
