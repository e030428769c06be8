#!/bin/sh
# bench/peers.sh FILE.pgn [ROUNDS]: kifu beside other programs on one file of plain PGN, all
# of them in turn, ROUNDS (5) times; prints a table a kind of work, with medians and how
# many times as fast kifu is (bench/race).
#
# pgn-extract, stockfish (Debian) and the Go library github.com/corentings/chess are
# fetched by the script. The others are left out, and named, unless a variable says where
# they are:
#
#   SHAKMATY_STATS, SHAKMATY_VALIDATE  github.com/niklasf/shakmaty, built with cargo
#                    --release: the examples stats and validate of its crate pgn-reader
#   CHESS_LIBRARY, CHESS_LIBRARY_SYNTAX  github.com/Disservin/chess-library, g++ -O3
#                    -march=native: example/main.cpp and benchmarks/pgn_benchmark.cpp
#   OCGDB            github.com/nguyenpham/ocgdb: the program
#   FASTPOPULAR      github.com/vondele/fastpopular: the program
#   PYTHON_CHESS     github.com/niklasf/python-chess: the directory that holds chess/;
#                    not needed where python3 finds the module
#   KIFU             a kifu to measure instead of one built here
set -eu
[ $# -gt 0 ] || { sed -n '2,19s/^# \{0,1\}//p' "$0"; exit 2; }
file=$1 rounds=${2:-5}
[ -f "$file" ] || { echo "peers.sh: no file $file" >&2; exit 2; }
slow=300 # games for the programs that take a minute for all of them

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-bench-peers.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
PATH=$PATH:/usr/games
for package in pgn-extract stockfish; do
	command -v $package >/dev/null || { echo "installing $package" >&2; apt-get install -y -qq $package >/dev/null; }
done
(cd "$root" && go build -tags no_duckdb_arrow -o "$tmp/" ./bench/race ./bench/replay)
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)

# The work in the file, and in its first games.
awk -v games=$slow '/^\[Event / && ++n > games { exit } { print }' "$file" >"$tmp/slow.pgn"
counts() { "$tmp/replay" "$1" | sed 's/[^0-9 ]//g'; } # FILE: games, plies
set -- $(counts "$file"); games=$1 plies=$2
set -- $(counts "$tmp/slow.pgn"); slow_plies=$2
mb=$(wc -c <"$file" | awk '{ print $1 / 1e6 }')
mega() { awk -v n="$1" 'BEGIN { print n / 1e6 }'; }

cat >"$tmp/python.py" <<'END'
import sys, chess.pgn
with open(sys.argv[1]) as f:
    while chess.pgn.read_game(f):
        pass
END
python() { PYTHONPATH=${PYTHON_CHESS:-} python3 -c 'import chess.pgn' 2>/dev/null; }
mkdir "$tmp/go"
cat >"$tmp/go/main.go" <<'END'
package main

import (
	"log"
	"os"

	"github.com/corentings/chess/v2"
)

func main() {
	f, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for s := chess.NewScanner(f); s.HasNext(); {
		if _, err := s.ParseNext(); err != nil {
			log.Fatal(err)
		}
	}
}
END
library() { (cd "$tmp/go" && go mod init peer && go get github.com/corentings/chess/v2@v2.3.2 && go build -o "$tmp/library" .) >/dev/null 2>&1; }

group() { kind=$1; }                                            # NAME [UNIT]
with() { printf '%s\t%s\t%s\t%s\texec %s\n' "$kind" "$@"; }     # NAME WORK OUTPUT COMMAND
peer() { if [ -n "$1" ]; then shift; with "$@"; else left "$2"; fi; } # PATH NAME WORK OUTPUT COMMAND
left() { echo "left out for want of it: $1" >&2; }

{
	group "Syntax only [MB]"
	with "kifu" "$mb" - "$tmp/replay -syntax '$file'"
	with "kifu, two workers" "$mb" - "$tmp/replay -syntax -workers 2 '$file'"
	peer "${SHAKMATY_STATS:-}" "pgn-reader" "$mb" - "${SHAKMATY_STATS:-} '$file'"
	peer "${CHESS_LIBRARY_SYNTAX:-}" "chess-library, tokens" "$mb" - "${CHESS_LIBRARY_SYNTAX:-} '$file'"

	group "Syntax, SAN, replay of every move [M plies]"
	with "kifu" "$(mega "$plies")" - "$tmp/replay '$file'"
	with "kifu, two workers" "$(mega "$plies")" - "$tmp/replay -workers 2 '$file'"
	peer "${SHAKMATY_VALIDATE:-}" "shakmaty" "$(mega "$plies")" - "${SHAKMATY_VALIDATE:-} '$file'"
	peer "${CHESS_LIBRARY:-}" "chess-library" "$(mega "$plies")" - "${CHESS_LIBRARY:-} '$file'"
	with "pgn-extract" "$(mega "$plies")" - "pgn-extract -s -r '$file'"
	if library; then
		with "corentings/chess, $slow games" "$(mega "$slow_plies")" - "$tmp/library $tmp/slow.pgn"
	else
		left "corentings/chess"
	fi
	if python; then
		with "python-chess, $slow games" "$(mega "$slow_plies")" - "env PYTHONPATH='${PYTHON_CHESS:-}' python3 $tmp/python.py $tmp/slow.pgn"
	else
		left "python-chess"
	fi

	group "ingest, to files that can be queried [games]"
	with "kifu ingest, one worker" "$games" "$tmp/games" "$kifu ingest --progress none --workers 1 --out $tmp/games '$file'"
	with "kifu ingest, two workers" "$games" "$tmp/games" "$kifu ingest --progress none --workers 2 --out $tmp/games '$file'"
	peer "${OCGDB:-}" "ocgdb, two threads" "$games" "$tmp/ocgdb.db3" "${OCGDB:-} -create -pgn '$file' -db $tmp/ocgdb.db3 -cpu 2 -o moves2"

	group "transform, to positions [M positions]"
	with "kifu transform, one worker" "$(mega $((plies + games)))" "$tmp/positions" "$kifu transform --progress none --workers 1 --out $tmp/positions $tmp/games"
	with "kifu transform, two workers" "$(mega $((plies + games)))" "$tmp/positions" "$kifu transform --progress none --workers 2 --out $tmp/positions $tmp/games"
	peer "${FASTPOPULAR:-}" "fastpopular (from PGN; distinct positions)" "$(mega "$plies")" "$tmp/popular.epd" "${FASTPOPULAR:-} --file '$file' --maxPlies 100000 --minCount 1 -o $tmp/popular.epd"
	with "pgn-extract -Wepd (from PGN)" "$(mega $((plies + games)))" "$tmp/epd" "pgn-extract -s -Wepd -o $tmp/epd '$file'"

	group "perft 6 from the start, leaves counted in bulk, one core [M leaves]"
	with "kifu perft" 119.060324 - "$kifu perft 6"
	with "stockfish" 119.060324 - "stockfish go perft 6"
} >"$tmp/list"
"$tmp/race" -rounds "$rounds" <"$tmp/list"
