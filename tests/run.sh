#!/usr/bin/env bash
# Runs tests through prove and leaves prove's closing lines last: run.sh BUILD [FOLDER|FILE ...]
#
# BUILD holds the program and the C tests to run (build/asan); FOLDER is one of tests/ (engine, api ...).
# Without a FOLDER or FILE every test there is. Programs started by tests are BUILD/gpuwise. What the tests get from it
# is kept in a folder, and the last test holds each reply to the contract.
set -eu
cd "$(dirname "$0")/.."

build=$1
shift
GPUWISE_PROGRAM=$(cd "$build" && pwd)/gpuwise
GPUWISE_BUILD=${GPUWISE_BUILD:-$PWD/build}
export GPUWISE_PROGRAM GPUWISE_BUILD
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1

GPUWISE_EXCHANGES=$(mktemp -d)
export GPUWISE_EXCHANGES
trap 'rm -rf "$GPUWISE_EXCHANGES"' EXIT
if [ $# -eq 0 ]; then
    export GPUWISE_EXCHANGES_COMPLETE=1
fi

[ $# -gt 0 ] || set -- browser readme accuracy cases api server fit handlers db engine fuzz guards
tests=()
for place in "$@"; do
    if [ -f "$place" ]; then
        tests+=("$place")
        continue
    fi
    for source in "tests/$place"/test_*.c "tests/$place"/fuzz_*.c "tests/$place"/test_*.sh "tests/$place"/test_*.mjs; do
        case $source in
            *'*'*) continue ;; # the folder has none of these
            *.c) program=$build/${source%.c}; program=${program/fuzz_/replay_} ;;
            *) program=$source ;;
        esac
        tests+=("$program")
    done
done

last=tests/api/recorded.mjs
case " $* " in *" api "* | *" handlers "* | *" browser "* | *" cases "* | *" fuzz "*) tests+=("$last") ;; esac

# Lanes that run side by side, each in its order: what listens on sockets or drives a browser, the engine, the rest.
# The last test is in none of them: prove runs such tests when the lanes are done.
jobs=$(nproc)
prove -j$((jobs > 2 ? jobs : 2)) --timer --failures --comments --exec tests/run_one.sh \
    --rules 'seq={tests,**/tests}/{browser,readme,accuracy,cases,api,server,lint,fuzz,image,torture}/{test_,replay_,fuzz,lint,image,load}*' \
    --rules 'seq=**/tests/engine/*' --rules 'seq=**/test_*' "${tests[@]}"
