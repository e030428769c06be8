#!/bin/sh
# bench/oracle.sh FILE.pgn[.zst] FILE.epd[.zst] [GAMES]: every position of the first
# GAMES games (5,000), as kifu ingest and transform make it, against the EPD that
# pgn-extract -Wepd has written of them.
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -tags no_duckdb_arrow -o "$tmp/" ./cmd/kifu ./bench/oracle)
case $1 in
*.zst) zstd -qdcf "$1" ;;
*) cat "$1" ;;
esac | awk -v games="${3:-5000}" '/^\[Event / && ++n > games { exit } { print }' >"$tmp/games.pgn"
"$tmp/kifu" ingest --progress none --out "$tmp/games" "$tmp/games.pgn"
"$tmp/kifu" transform --progress none --out "$tmp/positions" "$tmp/games"
"$tmp/oracle" "$tmp/positions" "$2"
