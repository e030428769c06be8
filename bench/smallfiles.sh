#!/bin/sh
# bench/smallfiles.sh FILE.sgf[.zst] [N]: many small files beside one.
#
# Writes the first N games (30,000) of a file as a file each, in directories of 300, as a
# zip and as a tar, and ingests these and the same games in one file with one worker: wall
# and processor seconds, and peak memory. The file must begin each game on a line of its
# own, with "(;".
set -eu
[ $# -gt 0 ] || { sed -n '2,7s/^# //p' "$0"; exit 2; }

install() { # PACKAGE COMMAND
	command -v "$2" >/dev/null || { echo "installing $1" >&2; apt-get install -y -qq "$1" >/dev/null; }
}
install zip zip
install zstd zstd
install time /usr/bin/time

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -tags no_duckdb_arrow -o "$tmp/kifu" ./cmd/kifu)
case $1 in
*.zst) zstd -qdcf "$1" ;;
*) cat "$1" ;;
esac | awk -v n="${2:-30000}" -v to="$tmp/dir" '
	/^\(;/ {
		if (++game > n) exit
		if (game % 300 == 1) { dir = sprintf("%s/%03d", to, game / 300); system("mkdir -p " dir) }
		if (file) close(file)
		file = sprintf("%s/%05d.sgf", dir, game)
	}
	game { print > file }'
(cd "$tmp/dir" && find . -name '*.sgf' | sort | xargs cat >../one.sgf && zip -qr ../small.zip . && tar cf ../small.tar .)

echo "| input | games | wall s | cpu s | MB peak | --count: cpu s | MB peak |"
echo "|---|---:|---:|---:|---:|---:|---:|"
for input in one.sgf dir small.zip small.tar; do
	rm -rf "$tmp/games"
	/usr/bin/time -o "$tmp/time" -f '%e %U %S %M' "$tmp/kifu" ingest --game go --workers 1 --progress none --out "$tmp/games" "$tmp/$input" >"$tmp/said"
	/usr/bin/time -o "$tmp/count" -f '%e %U %S %M' "$tmp/kifu" ingest --game go --workers 1 --progress none --count "$tmp/$input" >/dev/null 2>&1
	games=$(sed -n 's/.*wrote \([0-9,]*\) games.*/\1/p' "$tmp/said")
	awk -v name="$input" -v games="$games" 'NR == 1 { a = $0 } NR == 2 { split(a, x); printf "| %s | %s | %.1f | %.1f | %.0f | %.1f | %.0f |\n", name, games, x[1], x[2] + x[3], x[4] / 1024, $2 + $3, $4 / 1024 }' "$tmp/time" "$tmp/count"
done
