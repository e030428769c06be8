#!/bin/sh
# bench/sql.sh GAMES: the functions of boards in SQL over all positions of a dataset of games of
# chess (the 145,716 of the book's database have 11.4 million): processor time and the clock of
# one query each, of two threads, and its answer.
#
# KIFU names the program; without it, it is built.
set -eu
[ $# -eq 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)
"$kifu" transform --progress none --out "$tmp/p" "$1" >&2
moves=$("$kifu" show start --moves 'e4 c5 Nf3 Nc6' | sed -n 's/ (.*)$//p' | tail -1)

# run NAME CONDITION: a line of the table.
run() {
	/usr/bin/time -o "$tmp/time" -f '%U %S %e %M' "$kifu" query --workers 2 --format csv "SELECT count(*) FROM p WHERE $2" "p=$tmp/p" >"$tmp/out"
	awk -v name="$1" -v rows="$(tail -1 "$tmp/out")" '{ printf "%-34s %10s %9.2f %9.2f %9.0f\n", name, rows, $1 + $2, $3, $4 / 1024 }' "$tmp/time"
}

printf '%-34s %10s %9s %9s %9s\n' '' positions 'cpu s' 'clock s' MB
run 'all' 'true'
run 'hash' "hash = hash_of('$moves')"
run 'material, from columns' "phase <= 4 AND abs(material_difference) >= 3"
run "count_piece(board, 'N') = 2" "count_piece(board, 'N') = 2"
run "two: count_piece 'N' and 'n'" "count_piece(board, 'N') + count_piece(board, 'n') = 4"
run "piece_at(board, 'e4') = 'P'" "piece_at(board, 'e4') = 'P'"
run 'board_like, a pattern' "board_like(board, '*/*/*/*/??B?P???/*/*/*')"
run 'san(board, move)' "san(board, move) = 'Nf3'"
run 'fen(board)' "fen(board) LIKE 'r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/%'"
