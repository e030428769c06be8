#!/bin/sh
# Holds what kifu query writes against what others read from it (Polars: Arrow and Parquet,
# pandas: CSV): rows, missing values and sums of every column, of labels of the games that
# ship.
#
#   bench/tables.sh [WORK]        default: a temporary directory
#
# It needs node and npm, from which it installs nodejs-polars into WORK, and a Python with
# pandas ($PYTHON, default python3). It ends with the number of columns that agree, or with
# an error.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
work=${1:-$(mktemp -d "${TMPDIR:-/tmp}/kifu-tables.XXXXXX")}
mkdir -p "$work"
export GOFLAGS="-tags=no_duckdb_arrow ${GOFLAGS:-}"
go build -o "$work/kifu" ./cmd/kifu
cd "$work"
polars=0.26.1
if [ ! -d node_modules/nodejs-polars ]; then
	npm install --silent --no-audit --no-fund "nodejs-polars@$polars" "nodejs-polars-$(node -p 'process.platform + "-" + process.arch')-gnu@$polars"
fi
[ -d labels ] || {
	./kifu datasets sample chess-masters --out games.pgn.zst
	./kifu ingest --out games games.pgn.zst
	./kifu transform --out positions --sample 0.1 games
	./kifu label --out labels positions
} >/dev/null
columns="game_id, ply, first_to_move, result, move, first_elo, quiescence_value, king_safety"
for format in arrow parquet csv; do
	./kifu query --out "rows.$format" --force "select $columns from l" l=labels >/dev/null
done
{
	for column in $(echo "$columns" | tr -d ,); do
		case $column in
		result | move) sum="sum(length($column))" ;;
		*) sum="sum($column::DOUBLE)" ;;
		esac
		./kifu query --format csv "select 'kifu', '$column', count(*), count(*) - count($column), $sum from l" l=labels | tail -n 1 | tr , ' '
	done
	NODE_PATH="$work/node_modules" node "$root/bench/tables/polars.js" rows.arrow rows.parquet
	"${PYTHON:-python3}" "$root/bench/tables/pandas_csv.py" rows.csv
} >sums.txt
awk '$1 == "kifu" { rows[$2] = $3; nulls[$2] = $4; want[$2] = $5; next }
{ d = $5 - want[$2]; d = d < 0 ? -d : d; w = want[$2] < 0 ? -want[$2] : want[$2]
  if ($3 != rows[$2] || $4 != nulls[$2] || d > 1e-9 * w + 1e-9) { print "differs:", $0, "but kifu says", rows[$2], nulls[$2], want[$2]; bad = 1 }
  n[$1]++ }
END { for (f in n) print f ": " n[f] " columns agree"; exit bad }' sums.txt | sort
