#!/bin/sh
# bench/stages.sh FILE.pgn [ROUNDS]: the stages from records to reports on one file of plain PGN with
# standard games of chess, each ROUNDS (3) times; prints a table with the medians and the commit.
#
# Another program is measured in the same run where it does the work of a stage: pgn-extract and
# stockfish (Debian, installed by the script), and those of these variables:
#
#   CHESS_LIBRARY    github.com/Disservin/chess-library, g++ -O3 -march=native: example/main.cpp
#   KIFU             a kifu to measure instead of one built here
#
# The processor's seconds are of user and system. Nothing else should run on the machine.
set -eu
[ $# -gt 0 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
[ -f "$1" ] || { echo "stages.sh: no file $1" >&2; exit 2; }
file=$(realpath "$1") rounds=${2:-3}
cd "$(dirname "$0")/.."
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-bench-stages.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
PATH=$PATH:/usr/games
for package in pgn-extract stockfish; do
	command -v $package >/dev/null || { echo "installing $package" >&2; apt-get install -y -qq $package >/dev/null; }
done
export GOFLAGS="-tags=no_duckdb_arrow ${GOFLAGS:-}"
go build -o "$tmp/" ./bench/replay
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || go build -o "$kifu" ./cmd/kifu

"$tmp/replay" "$file" >"$tmp/counts"
games=$(sed 's/[^0-9 ]//g' "$tmp/counts" | awk '{ print $1 }') plies=$(sed 's/[^0-9 ]//g' "$tmp/counts" | awk '{ print $2 }')
megabytes=$(wc -c <"$file" | awk '{ print $1 / 1e6 }')
positions=$(awk -v g="$games" -v p="$plies" 'BEGIN { print (g + p) / 1e6 }')

export out="$tmp/out"

# row NAME WORK UNIT COMMAND: ROUNDS runs of the command, which writes $out if anything.
row() {
	: >"$tmp/times"
	for round in $(seq "$rounds"); do
		rm -rf "$out"
		/usr/bin/time -a -o "$tmp/times" -f '%e %U %S %M' sh -c "$4" >/dev/null 2>"$tmp/said" ||
			{ cat "$tmp/said" >&2; echo "| $1 | | | | failed |"; return 0; }
		printf '\r%s: %d of %d%40s' "$1" "$round" "$rounds" '' >&2
	done
	awk -v name="$1" -v work="$2" -v unit="$3" '
		{ clock[NR] = $1; cpu[NR] = $2 + $3; peak[NR] = $4 / 1024 }
		function median(v,    i, j, t) {
			for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++) if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t }
			return v[int((NR + 1) / 2)]
		}
		END {
			seconds = median(cpu)
			printf "| %s | %.2f | %.2f | %.0f | %.3g %s |\n", name, median(clock), seconds, median(peak), work / seconds, unit
		}' "$tmp/times"
}

commit=$(git rev-parse --short HEAD)
echo "kifu $commit, $(nproc) processors: $games games, $positions million positions, $megabytes MB of PGN."
echo
echo "| work | elapsed s | CPU s | peak MB | a CPU second |"
echo "|---|---:|---:|---:|---:|"
row "PGN syntax" "$megabytes" MB "$tmp/replay -syntax '$file'"
row "syntax, SAN, replay" "$(awk -v p="$plies" 'BEGIN { print p / 1e6 }')" "M plies" "$tmp/replay '$file'"
[ -z "${CHESS_LIBRARY:-}" ] || row "the same: chess-library" "$(awk -v p="$plies" 'BEGIN { print p / 1e6 }')" "M plies" "$CHESS_LIBRARY '$file'"
row "the same: pgn-extract" "$(awk -v p="$plies" 'BEGIN { print p / 1e6 }')" "M plies" "pgn-extract -s -r '$file'"
row "\`ingest\`" "$(awk -v g="$games" 'BEGIN { print g / 1e3 }')" "k games" "$kifu ingest --out \$out '$file'"
keep() { rm -rf "$tmp/$1"; mv "$tmp/out" "$tmp/$1"; } # NAME: the dataset of the row before
keep games
row "\`transform\`" "$positions" "M positions" "$kifu transform --out \$out $tmp/games"
keep positions
row "positions from PGN: pgn-extract -Wepd" "$positions" "M positions" "pgn-extract -s -Wepd -o \$out '$file'"
row "\`label --search static\`" "$(awk -v p="$positions" 'BEGIN { print p * 1e3 }')" "k positions" "$kifu label --search static --out \$out $tmp/positions"
row "\`label --features none\`" "$(awk -v p="$positions" 'BEGIN { print p * 1e3 }')" "k positions" "$kifu label --features none --out \$out $tmp/positions"
row "\`label\`" "$(awk -v p="$positions" 'BEGIN { print p * 1e3 }')" "k positions" "$kifu label --out \$out $tmp/positions"
keep labels
rows=$("$kifu" query --format csv "SELECT count(*) / 1e6 FROM l" l="$tmp/labels" | tail -1)
for way in games players; do
	row "\`report curve --dependence $way\`" "$rows" "M labels" "$kifu report curve --dependence $way --out \$out $tmp/labels"
done
row "\`report split\`, all columns" "$rows" "M labels" "$kifu report split --out \$out $tmp/labels"
for method in mlm ls mlm,ls; do
	row "\`fit --method $method\`, the scale alone" "$rows" "M labels" "$kifu fit --method $method --out \$out $tmp/labels"
done
row "\`fit --free material,mobility,king_safety\`" "$rows" "M labels" "$kifu fit --free material,mobility,king_safety --out \$out $tmp/labels"
row "\`fit --free all --scale 0.0088\`" "$rows" "M labels" "$kifu fit --free all --scale 0.0088 --out \$out $tmp/labels"
row "\`perft 6\`" 119.060324 "M leaves" "$kifu perft 6"
row "the same: stockfish" 119.060324 "M leaves" "stockfish go perft 6"
row "\`match\`, 2,000 games at \`depth=1\`" 2 "k games" "$kifu match --games 2000 --random-plies 6 --out \$out --player 'depth=1 name=a' --player 'depth=1 name=b'"
row "\`match\`, 100 games at \`depth=3\`" 0.1 "k games" "$kifu match --games 100 --random-plies 6 --out \$out --player 'depth=3 name=a' --player 'depth=3 name=b'"
row "\`version\`" 1 start "$kifu version"
