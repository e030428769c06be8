#!/bin/sh
# How much of what gradient boosting finds in labels the splits of kifu report split explain.
# Needs numpy, pandas and scikit-learn, and takes XGBoost and LightGBM where they
# are installed: apt-get install python3-sklearn python3-pandas python3-xgboost; pip install lightgbm.
#
#   bench/splits.sh LABELS [COLUMN,...]    columns to make conditions of; default: the report's
#
# ROWS=N (1,000,000) bounds the rows that boosting sees; half a million take some minutes of one processor. One
# thread, unless OMP_NUM_THREADS says otherwise: on a busy machine its threads mostly wait for each other.
#
# For example, on bundled games: kifu datasets sample chess-masters --out games.pgn.zst, and from
# there kifu ingest, transform, label.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
dir=$(mktemp -d "${TMPDIR:-/tmp}/kifu-bench-splits.XXXXXX")
trap 'rm -rf "$dir"' EXIT
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
export GOFLAGS="-tags=no_duckdb_arrow ${GOFLAGS:-}"
kifu=${KIFU:-$dir/kifu}
[ -n "${KIFU:-}" ] || go build -o "$kifu" ./cmd/kifu
"$kifu" report split --progress none --out "$dir/splits" ${2:+--columns "$2"} "$1" | tail -1
"$python" - "$dir/splits" >"$dir/rows.sql" <<'PY'
import csv, json, sys
report = sys.argv[1]
about = json.load(open(report + "/manifest.json"))
value, columns = about["meta"]["value"], about["meta"]["columns"].split(",")
splits = [r["condition"] for r in csv.DictReader(open(report + "/split.csv")) if r["confirmed"] == "true"]
print("SELECT game_id, (result = 'first')::INTEGER AS won, %s" % ", ".join(['"%s"' % value] + ['"%s"::DOUBLE AS "%s"' % (c, c) for c in columns] +
      ["coalesce((%s\n), false)::INTEGER AS split_%d" % (c, i + 1) for i, c in enumerate(splits)]))
print("FROM labels WHERE result IN ('first', 'second') AND abs(\"%s\") < 25000" % value)
PY
"$kifu" query --format csv "$(cat "$dir/rows.sql")" labels="$1" >"$dir/rows.csv"
value=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["meta"]["value"])' "$dir/splits/manifest.json")
"$python" bench/splits.py "$dir/rows.csv" "$value" "${ROWS:-1000000}"
