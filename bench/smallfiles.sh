#!/bin/sh
# bench/smallfiles.sh FILE.sgf[.zst]|FILE.pgn[.zst] [N]: many small files beside one.
#
# Writes the first N games (30,000) of a file as a file each, in directories of 300, as a
# zip and as a tar, and ingests these and the same games in one file with one worker: wall
# and processor seconds, how many times those of one file, and peak memory. The file must begin
# each game on a line of its own, with "(;" or "[Event ". KIFU names a binary to try.
set -eu
[ $# -gt 0 ] || { sed -n '2,7s/^# //p' "$0"; exit 2; }
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

echo "| input | games | wall s | cpu s | of one file | MB peak | --count: cpu s | of one file | MB peak |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
for input in one.$kind dir small.zip small.tar; do
	rm -rf "$tmp/games"
	/usr/bin/time -o "$tmp/time" -f '%e %U %S %M' "$kifu" ingest --game $game --workers 1 --progress none --out "$tmp/games" "$tmp/$input" >"$tmp/said"
	/usr/bin/time -o "$tmp/count" -f '%e %U %S %M' "$kifu" ingest --game $game --workers 1 --progress none --count "$tmp/$input" >/dev/null 2>&1
	games=$(sed -n 's/.*wrote \([0-9,]*\) games.*/\1/p' "$tmp/said")
	[ "$input" != one.$kind ] || base=$(awk '{ print $2 + $3 }' "$tmp/time" "$tmp/count" | xargs)
	awk -v name="$input" -v games="$games" -v base="$base" 'NR == 1 { a = $0 } NR == 2 {
		split(a, x); split(base, one, " ")
		printf "| %s | %s | %.1f | %.1f | %.2f | %.0f | %.1f | %.2f | %.0f |\n", name, games, x[1], x[2] + x[3], (x[2] + x[3]) / one[1], x[4] / 1024, $2 + $3, ($2 + $3) / one[2], $4 / 1024 }' "$tmp/time" "$tmp/count"
done
