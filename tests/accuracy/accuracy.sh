#!/usr/bin/env bash
# Scores what the program predicts of published measurements: accuracy.sh PROGRAM TRUTH SCORE [FILE]
#
# TRUTH is a folder with throughput.csv, memory.csv and kv.csv, SCORE the scoring program (Python 3). Prints the day
# and what the scorer says, and ends with its status: 0 when every target of level A holds. With FILE its table goes
# there too: tests/accuracy/score.txt is what README.md shows.
set -u

program=$1 truth=$2 score=$3 file=${4:-/dev/null}
for needed in "$program" "$truth/throughput.csv" "$truth/memory.csv" "$truth/kv.csv" "$score"; do
    if [ ! -f "$needed" ]; then
        echo "accuracy: $needed is not there; TRUTH and SCORE say where the measurements and the scorer are" >&2
        exit 2
    fi
done
answer=$(python3 "$score" --truth "$truth" --predict "'$program' predict")
status=$?
day="Scored on $(date -u +%F)"
if [ "$status" -le 1 ]; then # 2: it has said what is wrong
    printf '%s\n\n%s\n' "$day" "$(sed '/^$/,$d' <<<"$answer")" >"$file"
fi
printf '%s\n\n%s\n' "$day" "$answer"
exit "$status"
