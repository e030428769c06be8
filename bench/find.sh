#!/bin/sh
# bench/find.sh FILE.pgn[.zst]: the games with a position, as kifu find and pgn-extract -x find
# them: the same games, processor time and memory; then the same by a pattern of the board.
#
# PGN_EXTRACT names the program (default: pgn-extract of the PATH, as Debian has it), SCOUTFISH
# that of scoutfish, which is left out without it. kifu answers from the text (ingest and
# find), from games that were ingested before, from positions, and from positions sorted by
# hash, as scoutfish does from the index that it makes first.
set -eu
[ $# -eq 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
extract=${PGN_EXTRACT:-$(PATH=$PATH:/usr/games command -v pgn-extract || true)}
[ -n "$extract" ] || { echo "install pgn-extract, or name it in PGN_EXTRACT" >&2; exit 1; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$root" && go build -tags no_duckdb_arrow -o "$tmp/kifu" ./cmd/kifu)
pgn=$1
case $pgn in *.zst) zstd -dqo "$tmp/in.pgn" "$pgn" && pgn=$tmp/in.pgn ;; esac

# run NAME COMMAND...: a line of the table; the command prints the number of games.
run() {
	name=$1
	shift
	/usr/bin/time -o "$tmp/time" -f '%U %S %e %M' "$@" >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err" >&2; exit 1; }
	games=$(cat "$tmp/out" "$tmp/err" | tr '\r' '\n' | sed -n 's/^in \([0-9,]*\) games.*/\1/p; s/^\([0-9]*\) games\{0,1\} matched.*/\1/p; s/.*"match count": \([0-9]*\).*/\1/p' | tail -1 | tr -d ,)
	awk -v name="$name" -v games="$games" '{ printf "%-44s %8s %9.2f %9.2f %9.0f\n", name, games, $1 + $2, $3, $4 / 1024 }' "$tmp/time"
}

"$tmp/kifu" ingest --progress none --out "$tmp/games" "$pgn" >/dev/null
"$tmp/kifu" transform --progress none --out "$tmp/positions" "$tmp/games" >/dev/null
"$tmp/kifu" sort --progress none --by hash --out "$tmp/by-hash" "$tmp/positions" >/dev/null

printf '%-44s %8s %9s %9s %9s\n' '' games 'cpu s' 'clock s' 'MB'
moves='e4 c5 Nf3 Nc6'
echo "$moves" >"$tmp/variation"
run 'position: pgn-extract -x' "$extract" -r -x"$tmp/variation" "$pgn"
run 'position: kifu ingest, kifu find' sh -c '"$0" ingest --force --progress none --out "$1" "$2" >/dev/null; "$0" find --games 0 --moves "$3" "$1"' "$tmp/kifu" "$tmp/again" "$pgn" "$moves"
run 'position: kifu find, games' "$tmp/kifu" find --games 0 --moves "$moves" "$tmp/games"
run 'position: kifu find, positions' "$tmp/kifu" find --games 0 --moves "$moves" "$tmp/positions"
run 'position: kifu find, sorted by hash' "$tmp/kifu" find --games 0 --moves "$moves" "$tmp/by-hash"
printf 'FENPattern "*/*/*/*/??B?P???/*/*/*"\n' >"$tmp/tags"
run 'pattern: pgn-extract -t' "$extract" -r -t"$tmp/tags" "$pgn"
run 'pattern: kifu find, games' "$tmp/kifu" find --games 0 --pattern '*/*/*/*/??B?P???/*/*/*' "$tmp/games"
run 'pattern: kifu find, positions' "$tmp/kifu" find --games 0 --pattern '*/*/*/*/??B?P???/*/*/*' "$tmp/positions"
run 'material KRPkr: kifu find, games' "$tmp/kifu" find --games 0 --material KRPkr "$tmp/games"
if [ -n "${SCOUTFISH:-}" ]; then
	cp "$pgn" "$tmp/scout.pgn"
	run 'scoutfish make' "$SCOUTFISH" make "$tmp/scout.pgn"
	fen=$("$tmp/kifu" show start --moves "$moves" | sed -n 's/ (.*)$//p' | tail -1)
	run 'position: scoutfish, from its index' "$SCOUTFISH" scout "$tmp/scout.scout" "{ \"sub-fen\": \"${fen%% *}\" }"
	run 'material KRPkr: scoutfish' "$SCOUTFISH" scout "$tmp/scout.scout" '{ "material": "KRPKR" }'
fi
