#!/bin/sh
# Times kifu fit (MLM and LS, with covariances, reading included) beside scipy and
# scikit-learn (without covariances, reading not counted) on the same synthetic rows, in
# one run, with processor time and peak memory. Needs numpy, scipy and scikit-learn: apt-get install python3-sklearn.
#
#   bench/fit.sh [ROWS [TERMS [STAGES [FEATURES]]]]   made-up rows; default: 500000 300 1 31
#   bench/fit.sh LABELS TERM|GROUP,... [L2]           of a labels dataset, with these free
#
# Weights of real positions are seldom determined all of them: a ridge (1e-6) makes them so.
# scikit-learn's would pull at the scale too, so it is left out then. For instance
# bench/fit.sh labels material,pst,mobility 1e-6.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
dir=$(mktemp -d "${TMPDIR:-/tmp}/kifu-bench-fit.XXXXXX")
trap 'rm -rf "$dir"' EXIT
l2=0
export GOFLAGS="-tags=no_duckdb_arrow ${GOFLAGS:-}"
go build -o "$dir/kifu" ./cmd/kifu
if [ -d "${1:-}" ]; then
	labels=$1 free=$2 l2=${3:-0}
	go run ./bench/fit -labels "$labels" -free "$free" -out "$dir"
else
	labels=$dir/labels free=free
	go run ./bench/fit -rows "${1:-500000}" -terms "${2:-300}" -stages "${3:-1}" -features "${4:-31}" -out "$dir"
fi
for method in mlm ls; do
	"$python" bench/fit.py run "$dir/$method.cost" "$dir/kifu" fit --progress none --out "$dir/$method" --method "$method" --free "$free" --l2 "$l2" --min-games 1 "$labels" >/dev/null
done
"$python" bench/fit.py compare "$dir" "$l2"
