#!/usr/bin/env bash
# Runs every harness under libFuzzer for FUZZ_SECONDS (20) from the kept inputs. TAP: one line per harness.
# The programs are GPUWISE_BUILD/fuzz/tests/fuzz/fuzz_* (make fuzzers with clang; make check does it). An input
# that breaks a promise is left in GPUWISE_BUILD/fuzz; keep it in tests/fuzz/regressions/NAME with the mend.
set -u
cd "$(dirname "$0")/../.." || exit 1

folder=${GPUWISE_BUILD:-$PWD/build}/fuzz
seconds=${FUZZ_SECONDS:-20}
count=0
unset GPUWISE_EXCHANGES # thousands of replies that nobody judges
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    corpus=$folder/corpus/$name
    mkdir -p "$corpus"
    count=$((count + 1))
    if timeout -k 10 $((seconds + 120)) "$folder/tests/fuzz/$name" -max_total_time="$seconds" -max_len=16384 -timeout=10 \
        -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$folder/$name-" \
        -dict=tests/fuzz/words.dict "$corpus" "tests/fuzz/regressions/${name#fuzz_}" >"$folder/$name.log" 2>&1; then
        echo "ok $count - $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.log") inputs in $seconds s"
    else
        echo "not ok $count - $name"
        tail -n 40 "$folder/$name.log" | sed 's/^/# /'
    fi
done
echo "1..$count"
