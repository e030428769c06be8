#!/usr/bin/env bash
# bench/tree.sh GAMES [SCRATCH]: an opening tree of a dataset of games of chess, and what reads it: processor and elapsed seconds, and peak memory
# of two threads. Then 1,000 positions of the tree are compared with the games (bench/treescan). go run ./bench/madegames makes ten million games.
#
# SCRATCH (default: a temporary directory) keeps the tree. KIFU names kifu (default: it is built).
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
games=$(readlink -f "$1")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=${2:-$work}/tree
kifu=${KIFU:-$work/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)
(cd "$root" && go build -o "$work/treescan" ./bench/treescan)

# run NAME COMMAND...: a line of the table.
run() {
	name=$1
	shift
	/usr/bin/time -o "$work/time" -f '%U %S %e %M' "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
	awk -v name="$name" '{ printf "%-44s processor %7.2f s, elapsed %7.2f s, %5.0f MB\n", name, $1 + $2, $3, $4 / 1024 }' "$work/time"
}

scratch=0
most() { # the greatest size of the directory in which the tree is made
	while :; do
		now=$(du -sm "$tree" 2>/dev/null | cut -f1) || true # not there yet
		[ "${now:-0}" -le "$scratch" ] || { scratch=$now; echo "$scratch" >"$work/scratch"; }
		sleep 1
	done
}
if [ ! -e "$tree/manifest.json" ]; then
	most &
	watcher=$!
	run 'kifu tree' "$kifu" tree --workers 2 --progress none --out "$tree" "$games"
	kill $watcher
	cat "$work/out"
	echo "scratch space $(cat "$work/scratch") MB"
fi
rows=$(sed -n 's/.*"written": \([0-9]*\).*/\1/p' "$tree/manifest.json" | head -1)
awk -v b="$(cat "$tree"/part-*.parquet | wc -c)" -v n="$rows" 'BEGIN { printf "%d rows of %.1f bytes\n", n, b / n }'
run 'kifu find --moves, 1 e4 c5' "$kifu" find --workers 2 --moves 'e4 c5' "$tree"
run 'kifu report opening' "$kifu" report opening --workers 2 --progress none --out "$work/opening" "$tree"

"$kifu" explore --workers 2 --time 10m --token 0123456789abcdefgh "t=$tree" "g=$games" >"$work/address" 2>/dev/null &
server=$!
until [ -s "$work/address" ]; do sleep 0.1; done
address=$(head -1 "$work/address")
processor() { # seconds of the server and of the processes that make its pages
	cat /proc/$server/stat $(pgrep -P $server | sed 's|.*|/proc/&/stat|') | awk -v tick="$(getconf CLK_TCK)" '{ s += $14 + $15 } END { print s / tick }'
}
ask() {
	before=$(processor)
	elapsed=$(curl -fsS -o /dev/null -w '%{time_total}' "$address$2")
	awk -v name="explore: $1" -v a="$before" -v b="$(processor)" -v e="$elapsed" 'BEGIN { printf "%-44s processor %7.2f s, elapsed %7.2f s\n", name, b - a, e }'
}
ask 'openings, the first page' 'openings?on=t'
ask 'openings, again' 'openings?on=t'
ask 'openings, 1 e4' 'openings?on=t&line=e4'
ask 'openings, 1 e4 c5 2 Nf3 d6 3 d4' 'openings?on=t&line=e4+c5+Nf3+d6+d4'
ask 'openings of the games, from the tree' 'openings?on=g&line=d4+d5'
for process in $server $(pgrep -P $server); do
	printf 'explore: peak memory %s\n' "$(awk '/VmHWM/ { print $2 / 1024 " MB" }' "/proc/$process/status")"
done
kill $server
wait $server || true
"$work/treescan" "$tree" "$games" 2>/dev/null
