#!/bin/sh
# bench/formats.sh FILE FILE...: the same games in several formats give the same
# positions, moves and results; each file is held against the first. The year 1989 of
# WTHOR is at hand as .wtb, .ggf.zst and .sgf.zst.
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -tags no_duckdb_arrow -o "$tmp/" ./cmd/kifu)
n=0
failed=0
for file; do
	n=$((n + 1))
	"$tmp/kifu" ingest --game othello --progress none --out "$tmp/games$n" "$file"
	"$tmp/kifu" transform --progress none --out "$tmp/$n" "$tmp/games$n"
	[ $n -gt 1 ] || continue
	others=$("$tmp/kifu" query --format csv "
		with x as (select ply, board, move, result from a), y as (select ply, board, move, result from b)
		select (select count(*) from (from x except all from y)) + (select count(*) from (from y except all from x)) as others
		" a="$tmp/1" b="$tmp/$n" | tail -n 1)
	echo "$file: $others positions differ from those of $1"
	[ "$others" = 0 ] || failed=1
done
exit $failed
