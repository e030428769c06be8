#!/bin/sh
# bench/label.sh POSITIONS [N]: positions a second of one core that kifu labels (static,
# quiescence, features; reading and writing included), and that stockfish searches to
# depth 1 when all positions are piped into it at once.
#
# POSITIONS is a dataset of chess positions; stockfish sees the first N (20000). Seconds
# are those of the processor, so that other work on the machine counts less.
set -eu
[ $# -gt 0 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
PATH=$PATH:/usr/games
command -v stockfish >/dev/null || { echo "install stockfish" >&2; exit 1; }
positions=$(realpath "$1") n=${2:-20000}
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -tags no_duckdb_arrow -o "$tmp/kifu" ./cmd/kifu)

# seconds COMMAND...: processor seconds, of children too
seconds() {
	/usr/bin/time -o "$tmp/time" -f '%U %S' "$@" >"$tmp/said"
	awk '{ print $1 + $2 }' "$tmp/time"
}

all=$("$tmp/kifu" query --format csv 'select count(*) from p' p="$positions" | tail -1)
own=$(seconds "$tmp/kifu" label --progress none --workers 1 --out "$tmp/labels" "$positions")

"$tmp/kifu" export --format epd --out "$tmp/all.epd" "$positions" >/dev/null
head -n "$n" "$tmp/all.epd" >"$tmp/some.epd"
n=$(wc -l <"$tmp/some.epd")
{
	echo 'setoption name Hash value 16'
	awk '{ print "position fen " $1, $2, $3, $4, "0 1\ngo depth 1" }' "$tmp/some.epd"
	echo quit
} >"$tmp/commands"
piped=$(seconds sh -c 'stockfish <"$1"' - "$tmp/commands")
[ "$(grep -c ^bestmove "$tmp/said")" = "$n" ] || echo "stockfish answered $(grep -c ^bestmove "$tmp/said") of $n" >&2

echo "| | positions | processor seconds | a second | ratio |"
echo "|---|---|---|---|---|"
awk -v all="$all" -v own="$own" -v n="$n" -v piped="$piped" 'BEGIN {
	peer = n / piped
	printf "| kifu label | %d | %.1f | %d | %.1f |\n", all, own, all / own, all / own / peer
	printf "| stockfish, depth 1, piped | %d | %.1f | %d | 1 |\n", n, piped, peer
}'
