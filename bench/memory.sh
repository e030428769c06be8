#!/bin/sh
# bench/memory.sh FILE.pgn[.zst] [GB]: peak memory of kifu ingest, whatever the input.
#
# Streams the file again and again, 2 GB in all unless told otherwise, through the
# standard input; then a game with a line of 100 MB and one with a comment of 100 MB,
# each between two good games; then 400,000 games of nothing but tags. Prints games, wall
# and processor seconds and peak memory, and fails if any is above 256 MB or a good game
# is lost. Needs the free space that the games dataset takes, about a fifth of the stream.
set -eu
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
file=$1
gb=${2:-2}
limit=256

install() { # PACKAGE COMMAND
	command -v "$2" >/dev/null || { echo "installing $1" >&2; apt-get install -y -qq "$1" >/dev/null; }
}
install zstd zstd
install time /usr/bin/time

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -tags no_duckdb_arrow -o "$tmp/kifu" ./cmd/kifu)

case $file in
*.zst) plain=$tmp/plain.pgn; zstd -qdcf "$file" >"$plain" ;;
*) plain=$file ;;
esac
bytes=$(wc -c <"$plain")
times=$(awk -v b="$bytes" -v gb="$gb" 'BEGIN { n = int(gb * 1e9 / b); print n + (n * b < gb * 1e9) }')

again() { i=0; while [ $i -lt "$times" ]; do cat "$plain"; echo; i=$((i + 1)); done; }
good() { printf '[Event "good"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'; }
filler() { head -c 100000000 /dev/zero | tr '\0' "$1"; }
line() { good; printf '[Event "line"]\n\n1. e4 '; filler ' '; printf ' e5 1-0\n\n'; good; }
comment() { good; printf '[Event "comment"]\n\n1. e4 {'; filler x; printf '} e5 1-0\n\n'; good; }
tags() { good; awk 'BEGIN { for (i = 0; i < 400000; i++) printf "[Event \"%d\"]\n[White \"w%d\"]\n\n", i, i }'; good; }

failed=0
measure() { # NAME AT-LEAST COMMAND: games that must be there, and what writes the stream
	"$3" | /usr/bin/time -o "$tmp/time" -f '%e %U %S %M' "$tmp/kifu" ingest --force --progress none --out "$tmp/games" - >/dev/null 2>"$tmp/said" ||
		{ cat "$tmp/said" >&2; exit 1; }
	games=$("$tmp/kifu" query --format csv "select count(*) from games" games="$tmp/games" | tail -1)
	awk -v name="$1" -v games="$games" -v least="$2" -v limit="$limit" 'END {
		mb = $4 / 1024
		printf "| %s | %d | %.1f | %.1f | %.0f |\n", name, games, $1, $2 + $3, mb
		exit mb > limit || games < least }' "$tmp/time" || failed=1
	rm -rf "$tmp/games"
}
echo "| stream | games | s | cpu s | MB peak |"
echo "|---|---|---|---|---|"
once() { cat "$plain"; }
measure "$(basename "$file"), once" 1 once
measure "$gb GB of it" $((games * times)) again
measure "a line of 100 MB" 2 line
measure "a comment of 100 MB" 2 comment
measure "400,000 games without moves" 2 tags
[ $failed = 0 ] || { echo "above $limit MB, or games lost" >&2; exit 1; }
