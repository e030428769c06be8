#!/bin/sh
# bench/readers.sh DATASET...: the Parquet files of datasets, read by programs that share nothing with kifu: DuckDB, Polars, hyparquet and
# parquet-wasm (the Rust implementation of Arrow). For each column they count what is not null, and sum up what there is of it (numbers,
# bytes and checksums of texts, items of lists); a line says whether all of it is what kifu query says. DATASET may be an Aix file of
# kifu export, which is compared with what kifu ingest makes of it; parts of a published dataset are those that its card names.
#
# It needs node and npm, which installs these into $READERS (default /tmp/kifu-readers). KIFU names kifu (default: bin/kifu).
set -eu
[ $# -gt 0 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
kifu=${KIFU:-$root/bin/kifu}
to=${READERS:-/tmp/kifu-readers}
mkdir -p "$to"
(cd "$to" && npm install --silent --no-audit --no-fund @duckdb/node-api@1.5.6-r.1 nodejs-polars@0.26.1 nodejs-polars-linux-x64-gnu@0.26.1 hyparquet@1.33.0 hyparquet-compressors@1.1.2 parquet-wasm@0.8.0 apache-arrow@21.2.0)
cp "$root/bench/readers.mjs" "$to/readers.mjs"
for dataset; do
	from=$dataset
	case $dataset in *.parquet)
		from=$to/games
		rm -rf "$from"
		"$kifu" ingest --quiet --out "$from" "$dataset"
	esac
	node "$to/readers.mjs" sql "$dataset" >"$to/query.sql"
	"$kifu" query --format csv "$(cat "$to/query.sql")" "t=$from" | tail -n +2 >"$to/kifu.csv"
	for reader in duckdb polars hyparquet wasm; do
		if node "$to/readers.mjs" "$reader" "$dataset" >"$to/$reader.csv" 2>"$to/error" && ! grep -vxFf "$to/kifu.csv" "$to/$reader.csv" >>"$to/error"; then
			echo "$dataset: $reader reads $(wc -l <"$to/$reader.csv") of $(wc -l <"$to/kifu.csv") columns as kifu does"
		else
			echo "$dataset: $reader DIFFERS"
			tail -10 "$to/error"
		fi
	done
done
