#!/bin/sh
# bench/smallfiles.sh FILE.sgf[.zst]|FILE.pgn[.zst] [N]: many small files beside one.
#
# Writes the first N games (30,000) of a file as a file each, in directories of 300, as a
# zip and as a tar, and ingests and counts these and the same games in one file with one worker:
# wall and processor seconds, how many times those of one file, and peak memory; medians of
# three runs. The file must begin each game on a line of its own, with "(;" or "[Event ". KIFU
# names a binary to try, WORKERS another number of workers.
set -eu
[ $# -gt 0 ] || { sed -n '2,8s/^# //p' "$0"; exit 2; }
case $1 in
*.sgf | *.sgf.zst) kind=sgf game=go begin='^\\(;' ;;
*.pgn | *.pgn.zst) kind=pgn game=chess begin='^\\[Event ' ;;
*) echo "smallfiles.sh: $1: want .sgf or .pgn, or either with .zst" >&2; exit 2 ;;
esac

install() { # PACKAGE COMMAND
	command -v "$2" >/dev/null || { echo "installing $1" >&2; apt-get install -y -qq "$1" >/dev/null; }
}
install zip zip
install zstd zstd
install time /usr/bin/time

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)
case $1 in
*.zst) zstd -qdcf "$1" ;;
*) cat "$1" ;;
esac | awk -v n="${2:-30000}" -v to="$tmp/dir" -v begin="$begin" -v kind=$kind '
	$0 ~ begin {
		if (++game > n) exit
		if (game % 300 == 1) { dir = sprintf("%s/%03d", to, game / 300); system("mkdir -p " dir) }
		if (file) close(file)
		file = sprintf("%s/%05d.%s", dir, game, kind)
	}
	game { print > file }'
(cd "$tmp/dir" && find . -name "*.$kind" | sort | xargs cat >../one.$kind && zip -qr ../small.zip . && tar cf ../small.tar .)

echo "| input | games | wall s | of one file | cpu s | of one file | MB peak | --count: wall s | of one file | cpu s | of one file | MB peak |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
timed() { # NAME ARGS...: adds a line of wall, processor seconds and MB
	name=$1
	shift
	/usr/bin/time -o "$tmp/time" -f '%e %U %S %M' "$kifu" ingest --workers "${WORKERS:-1}" --progress none "$@" >"$tmp/said" 2>/dev/null
	tail -1 "$tmp/time" | awk '{ print $1, $2 + $3, $4 / 1024 }' >>"$tmp/$name"
}
median() { # NAME: medians of its columns
	for column in 1 2 3; do sort -n -k $column "$tmp/$1" | awk -v c=$column '{ x[NR] = $c } END { print x[int((NR + 1) / 2)] }'; done | xargs
}
for round in 1 2 3; do
	for input in one.$kind dir small.zip small.tar; do
		rm -rf "$tmp/games"
		timed count-$input --count "$tmp/$input"
		timed ingest-$input --game $game --out "$tmp/games" "$tmp/$input"
		sed -n 's/.*wrote \([0-9,]*\) games.*/\1/p' "$tmp/said" >"$tmp/games-$input"
	done
done
for input in one.$kind dir small.zip small.tar; do
	echo "$input $(cat "$tmp/games-$input") $(median ingest-$input) $(median count-$input) $(median ingest-one.$kind) $(median count-one.$kind)"
done | awk '{ printf "| %s | %s | %.2f | %.2f | %.2f | %.2f | %.0f | %.2f | %.2f | %.2f | %.2f | %.0f |\n", $1, $2, $3, $3 / $9, $4, $4 / $10, $5, $6, $6 / $12, $7, $7 / $13, $8 }'
