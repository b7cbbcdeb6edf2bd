#!/usr/bin/env bash
# The predictions against the open half of the measurements, where that lies beside this tree: every target of level
# A, no line worse than the reference models, what README.md shows, and the fit that gives the same bytes again.
set -u
cd "$(dirname "$0")/../.." || exit 1

truth=../shared/ground-truth
score=../shared/score/score.py
reference=../shared/score/README.md
program=${GPUWISE_PROGRAM:-build/gpuwise}
fit=${GPUWISE_BUILD:-build}/fit
if [ ! -d "$truth" ] || [ ! -f "$score" ] || ! command -v python3 >/dev/null; then
    echo "1..0 # SKIP ../shared/ground-truth, ../shared/score or python3 is not there"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
count=0
result() { # result STATUS TEXT [FILE]: FILE holds what is wrong
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        [ $# -lt 3 ] || head -n 40 "$3" | sed 's/^/# /'
    fi
}

tests/accuracy/accuracy.sh "$program" "$truth" "$score" "$folder/score.txt" >"$folder/printed"
result $? "every target of level A holds" "$folder/printed"

# The tables have a line per measure: words, then rows, value, target A, target B. Less than 0.05 points, of a
# correlation 0.0005, is rounding: file sizes are published with three digits.
values() {
    sed -nE 's/^(.*[^ ]) +[0-9]+ +(-|[0-9.]+) (>=|<=) .*/\1\t\2\t\3/p' "$1"
}
values "$folder/score.txt" >"$folder/ours"
values "$reference" >"$folder/theirs"
awk -F '\t' 'NR == FNR { ours[$1] = $2; next }
    { worse = $3 == ">=" ? $2 - ours[$1] : ours[$1] - $2 }
    !($1 in ours) || ours[$1] == "-" || worse > ($1 ~ /^rank/ ? 0.0005 : 0.05) {
        print $1 ": " ours[$1] ", the reference " $2 }
    END { if (FNR < 20) print "the reference has " FNR " lines" }' "$folder/ours" "$folder/theirs" >"$folder/worse"
[ ! -s "$folder/worse" ]
result $? "no line is worse than that of the reference models" "$folder/worse"

diff <(tail -n +2 tests/accuracy/score.txt) <(tail -n +2 "$folder/score.txt") >"$folder/changed"
result $? "tests/accuracy/score.txt is up to date (make accuracy)" "$folder/changed"

# The same figures from both programs, to eight digits.
"$fit" measure "$truth" >"$folder/measures"
python3 "$score" --truth "$truth" --predict "'${fit%/*}/gpuwise' predict" --json |
    python3 -c 'import json, sys
for m in json.load(sys.stdin)["measures"]: print(m["key"], m["value"], m["rows"])' >"$folder/scored"
awk 'NR == FNR { value[$1] = $2; rows[$1] = $3; next }
    $1 == "declined" { next }
    { seen++ }
    !($1 in value) || (value[$1] - $2) ^ 2 > 1e-14 || rows[$1] != $3 {
        print $1 ": " value[$1] " of " rows[$1] " rows, the scorer says " $2 " of " $3 }
    END { if (seen < 20) print "the scorer has " seen " measures" }' "$folder/measures" "$folder/scored" >"$folder/off"
[ ! -s "$folder/off" ]
result $? "the fitting program measures what the scorer does" "$folder/off"

cp migrations/calibration.csv "$folder/calibration.csv"
if "$fit" run "$truth" "$folder/calibration.csv" "$folder/cross_validation.txt" >"$folder/printed" 2>"$folder/log"; then
    diff migrations/calibration.csv "$folder/calibration.csv" >"$folder/changed"
    result $? "make fit gives the numbers of migrations/calibration.csv again" "$folder/changed"
    diff tests/accuracy/cross_validation.txt "$folder/cross_validation.txt" >"$folder/changed"
    result $? "and the table of cross-validation" "$folder/changed"
else
    result 1 "the fitting program runs" "$folder/log"
fi
echo "1..$count"
