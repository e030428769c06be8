#!/bin/sh
# bench/ingest.sh FILE.pgn[.zst]...: kifu ingest beside pgn-extract on the same files.
#
# For each file: games and plies that either has read, wall and processor seconds, peak
# memory, and how many times faster kifu was. pgn-extract (Debian) reads plain PGN, plays
# every move and, with -r, writes nothing; kifu writes the games dataset, and reads the
# file as it is, compressed or not, on all processors.
set -eu
[ $# -gt 0 ] || { sed -n '2,7s/^# //p' "$0"; exit 2; }

PATH=$PATH:/usr/games
install() { # PACKAGE COMMAND
	command -v "$2" >/dev/null || { echo "installing $1" >&2; apt-get install -y -qq "$1" >/dev/null; }
}
install pgn-extract pgn-extract
install zstd zstd
install time /usr/bin/time

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -tags no_duckdb_arrow -o "$tmp/kifu" ./cmd/kifu)

measure() { # NAME COMMAND...: "wall cpu MB" into $tmp/NAME.time
	name=$1; shift
	/usr/bin/time -o "$tmp/$name.time" -f '%e %U %S %M' "$@"
}
field() { awk -v f="$2" 'END { if (f == 2) print $2 + $3; else if (f == 3) printf "%.0f", $4 / 1024; else print $1 }' "$tmp/$1.time"; }

echo "| file | MB of PGN | kifu games | plies | pgn-extract games | plies | kifu s | cpu s | MB/s | MB peak | pgn-extract s | cpu s | times faster | a cpu |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
for file; do
	case $file in
	*.zst) plain=$tmp/plain.pgn; zstd -qdcf "$file" >"$plain" ;;
	*) plain=$file ;;
	esac
	cat "$plain" "$file" >/dev/null
	measure peer pgn-extract -s -r "$plain" >/dev/null 2>&1
	pgn-extract -s --notags --nomovenumbers --noresults -C -N -V -w 1000000 -Wlalg "$plain" 2>/dev/null |
		awk '!/^(1-0|0-1|1\/2-1\/2|\*)$/ { plies += NF } END { print plies + 0 }' >"$tmp/peer.plies" # a game without moves shows its result
	pgn-extract -r "$plain" 2>&1 >/dev/null | tr '\r' '\n' | grep -ao '[0-9]* games\? matched' | tail -1 | cut -d' ' -f1 >"$tmp/peer.games"
	measure ours "$tmp/kifu" ingest --force --progress none --out "$tmp/games" "$file" 2>/dev/null >/dev/null
	"$tmp/kifu" query --format csv "select count(*), sum(ply_count) from games" games="$tmp/games" | tail -1 | tr , ' ' >"$tmp/ours.counts"
	bytes=$(wc -c <"$plain")
	awk -v file="$(basename "$file")" -v bytes="$bytes" \
		-v ours="$(cat "$tmp/ours.counts")" -v peer="$(cat "$tmp/peer.games" "$tmp/peer.plies" | tr '\n' ' ')" \
		-v w="$(field ours 1)" -v c="$(field ours 2)" -v m="$(field ours 3)" -v pw="$(field peer 1)" -v pc="$(field peer 2)" 'BEGIN {
		split(ours, o, " "); split(peer, p, " ")
		if (w == 0) w = 0.01
			if (c == 0) c = 0.01
			printf "| %s | %.1f | %d | %d | %d | %d | %.2f | %.2f | %.0f | %d | %.2f | %.2f | %.1f | %.1f |\n",
				file, bytes / 1e6, o[1], o[2], p[1], p[2], w, c, bytes / 1e6 / w, m, pw, pc, pw / w, pc / c }'
done
