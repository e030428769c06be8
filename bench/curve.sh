#!/bin/sh
# Times a curve report over synthetic labels with a known curve, its parts one by one,
# without conditions and with two.
#
#   bench/curve.sh [ROWS]        default: 10000000; a gigabyte under $TMPDIR
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d "${TMPDIR:-/tmp}/kifu-bench-curve.XXXXXX")
trap 'rm -rf "$dir"' EXIT
export GOFLAGS="-tags=no_duckdb_arrow ${GOFLAGS:-}"
go build -o "$dir/" ./bench/synthlabels ./bench/curve
"$dir/synthlabels" -rows "${1:-10000000}" -out "$dir/labels"
"$dir/curve" "$dir/labels"
"$dir/curve" "$dir/labels" 'safe=king_safety >= 50' 'unsafe=king_safety <= -50'
