#!/bin/sh
# bench/compare.sh FILE.pgn[.zst]|DIR...: games and plies that kifu, pgn-extract and
# python-chess read, file by file.
#
# kifu counts with --keep-prefix, so that a game with a faulty move counts with the moves
# before it, as python-chess has it; "cut" are those games, "left out" the ones that kifu
# rejects. pgn-extract (Debian) drops a game with a faulty move. python-chess must be on
# PYTHONPATH, else its columns stay empty; files over PYTHON_MB (10) are spared it.
set -eu
[ $# -gt 0 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
PATH=$PATH:/usr/games
command -v pgn-extract >/dev/null || { echo "install pgn-extract" >&2; exit 1; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -tags no_duckdb_arrow -o "$tmp/kifu" ./cmd/kifu)

# pgn_extract FILE: "games plies"
pgn_extract() {
	games=$(pgn-extract -r "$1" 2>&1 >/dev/null | tr '\r' '\n' | grep -ao '[0-9]* games\? matched' | tail -1 | cut -d' ' -f1)
	plies=$(pgn-extract -s --notags --nomovenumbers --noresults -C -N -V -w 1000000 -Wlalg "$1" 2>/dev/null |
		awk '!/^(1-0|0-1|1\/2-1\/2|\*)$/ { plies += NF } END { print plies + 0 }') # a game without moves shows its result
	echo "${games:-0} $plies"
}

# kifu FILE: "games plies cut left-out"
kifu() {
	"$tmp/kifu" ingest --force --keep-prefix --progress none --out "$tmp/games" "$1" >"$tmp/said" 2>/dev/null
	left=$(grep -ao 'rejected [0-9,]*' "$tmp/said" | tr -dc 0-9)
	"$tmp/kifu" query --format csv 'select count(*), coalesce(sum(ply_count), 0), count(cut) from games' games="$tmp/games" |
		awk -F, -v left="${left:-0}" 'NR == 2 { print $1, $2, $3, left }'
}

echo "| file | kifu games | plies | cut | left out | pgn-extract games | plies | python-chess games | plies | faulty |"
echo "|---|---|---|---|---|---|---|---|---|---|"
find "$@" -type f \( -name '*.pgn' -o -name '*.pgn.zst' \) | LC_ALL=C sort | while read -r file; do
	plain=$file
	case $file in
	*.zst) plain=$tmp/plain.pgn; zstd -qdcf "$file" >"$plain" ;;
	esac
	peer="  "
	if [ "$(wc -c <"$plain")" -le $((${PYTHON_MB:-10} * 1000000)) ]; then
		peer=$(python3 "$root/bench/compare_python.py" "$plain" 2>/dev/null || echo "  ")
	fi
	echo "$(kifu "$file") $(pgn_extract "$plain") $peer" |
		awk -v file="$(basename "$(dirname "$file")")/$(basename "$file")" '{ printf "| %s |", file; for (i = 1; i <= 9; i++) printf " %s |", $i; print "" }'
done
