#!/bin/sh
# bench/training.sh FILE.binpack: training data of chess as kifu reads and writes them, held
# against the programs of others byte for byte, with the processor time of each.
#
# STOCKFISH_CONVERT names a program that is called with binpack2plain or plain2binpack, the input
# and the output, and does what the functions convertBinpackToPlain and convertPlainToBinpack of
# Stockfish's tools do; BULLET_CONVERT one that is called with text2bullet, a text and the output,
# and does what convert_from_text::<ChessBoard> of the crate bulletformat does. What is not named
# is left out. KIFU names kifu (default: it is built).
set -eu
[ $# -eq 1 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)
n=0

# run NAME COMMAND...: a line with the processor time, and positions per second of it.
run() {
	name=$1
	shift
	/usr/bin/time -o "$tmp/time" -f '%U %S %M' "$@" >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err" >&2; exit 1; }
	[ "$n" -gt 0 ] || n=$(sed -n 's/.*wrote \([0-9,]*\) positions.*/\1/p' "$tmp/out" | tr -d ,)
	awk -v name="$name" -v n="$n" '{ s = $1 + $2; printf "%-40s %9.2f %12.0f %6.0f\n", name, s, n / (s > 0 ? s : 1), $3 / 1024 }' "$tmp/time"
}

# same A B WHAT: the files have the same bytes.
same() { cmp "$1" "$2" >&2 && echo "same bytes: $3" || { echo "DIFFERENT: $3"; exit 1; }; }

printf '%-40s %9s %12s %6s\n' '' 'cpu s' 'positions/s' MB
run 'binpack: kifu ingest' "$kifu" ingest --progress none --out "$tmp/p" "$1"
run 'binpack: kifu export' "$kifu" export --progress none --out "$tmp/kifu.binpack" --format binpack "$tmp/p"
run 'plain: kifu export' "$kifu" export --progress none --out "$tmp/kifu.plain" --format plain "$tmp/p"
run 'plain: kifu ingest' "$kifu" ingest --progress none --out "$tmp/q" "$tmp/kifu.plain"
run 'bullet: kifu export' "$kifu" export --progress none --out "$tmp/kifu.bullet" --format bullet "$tmp/p"
run 'bullet-text: kifu export' "$kifu" export --progress none --out "$tmp/kifu.txt" --format bullet-text "$tmp/p"
run 'bullet: kifu ingest' "$kifu" ingest --progress none --out "$tmp/b" "$tmp/kifu.bullet"
run 'bullet-text: kifu ingest' "$kifu" ingest --progress none --out "$tmp/t" "$tmp/kifu.txt"
"$kifu" export --progress none --out "$tmp/again.bullet" --format bullet "$tmp/b" >/dev/null
same "$tmp/again.bullet" "$tmp/kifu.bullet" 'bullet, read and written'
"$kifu" export --progress none --out "$tmp/again.txt" --format bullet-text "$tmp/t" >/dev/null
same "$tmp/again.txt" "$tmp/kifu.txt" 'bullet-text, read and written'
"$kifu" export --progress none --out "$tmp/again.binpack" --format binpack "$tmp/q" >/dev/null
same "$tmp/again.binpack" "$tmp/kifu.binpack" 'binpack, of the plain'
if [ -n "${STOCKFISH_CONVERT:-}" ]; then
	run 'binpack to plain: Stockfish' "$STOCKFISH_CONVERT" binpack2plain "$1" "$tmp/sf.plain"
	run 'plain to binpack: Stockfish' "$STOCKFISH_CONVERT" plain2binpack "$tmp/sf.plain" "$tmp/sf.binpack"
	same "$tmp/kifu.plain" "$tmp/sf.plain" 'plain, by kifu and by Stockfish'
	same "$tmp/kifu.binpack" "$tmp/sf.binpack" 'binpack, by kifu and by Stockfish'
fi
if [ -n "${BULLET_CONVERT:-}" ]; then
	run 'text to bullet: bulletformat' "$BULLET_CONVERT" text2bullet "$tmp/kifu.txt" "$tmp/bf.bullet"
	same "$tmp/kifu.bullet" "$tmp/bf.bullet" 'bullet, by kifu and by bulletformat'
fi
