#!/bin/sh
# What prove starts for each test file, whatever it is written in. No test runs longer than the limit.
test=$1
shift
case $test in
    *.mjs) exec timeout -k 10 "${TEST_SECONDS_MAX:-600}" node "$test" "$@" ;;
    *.sh) exec timeout -k 10 "${TEST_SECONDS_MAX:-600}" bash "$test" "$@" ;;
    *) exec timeout -k 10 "${TEST_SECONDS_MAX:-600}" "$test" "$@" ;;
esac
