#!/usr/bin/env bash
# Times the pages of kifu explore over synthetic labels: seconds on the clock and of the
# processor, with two threads, and memory, those of the processes that make pages included.
# explore.sh [ROWS...]
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/kifu" ./cmd/kifu
go build -o "$work/synthlabels" ./bench/synthlabels
tick=$(getconf CLK_TCK)
for rows in "${@:-1000000 10000000}"; do for n in $rows; do
	"$work/synthlabels" -rows "$n" -out "$work/l$n"
	printf '%9d  size on disk %s MB\n' "$n" "$(du -sb "$work/l$n" | awk '{printf "%.0f", $1/1e6}')"
	rm -f "$work/address"
	"$work/kifu" explore --workers 2 --time 10m --token 0123456789abcdefgh "l=$work/l$n" >"$work/address" 2>/dev/null &
	server=$!
	until [ -s "$work/address" ]; do sleep 0.1; done
	address=$(head -1 "$work/address")
	family() { echo "$server"; pgrep -P "$server" || true; }
	used() { for pid in $(family); do cat "/proc/$pid/stat"; done | awk -v t="$tick" '{s += $14 + $15 + $16 + $17} END {print s/t}'; }
	ask() {
		before=$(used)
		clock=$(curl -fsS -o /dev/null -w '%{time_total}' "$address$2")
		printf '%9d  %-44s %6.2f s, processor %5.2f s\n' "$n" "$1" "$clock" "$(awk -v a="$(used)" -v b="$before" 'BEGIN {print a-b}')"
	}
	ask 'the total' 'curves?on=l'
	ask 'a condition on a third of the labels' 'curves?on=l&when=king_safety+%3C%3D+-50'
	ask 'a second condition' 'curves?on=l&when=king_safety+%3C%3D+-50&when=mobility+%3E+20'
	ask 'both again' 'curves?on=l&when=king_safety+%3C%3D+-50&when=mobility+%3E+20'
	ask 'a condition that always holds' 'curves?on=l&when=phase+%3E%3D+0'
	ask 'the positions of a bin' 'curves?on=l&when=king_safety+%3C%3D+-50&from=-12.5&to=12.5&of=1'
	ask 'a wall of positions' 'positions?on=l&where=king_safety+%3C+-100'
	ask 'a wall sorted by a column' 'positions?on=l&where=king_safety+%3C+-100&order=mobility&down=1'
	ask 'a weight changed' 'weights?on=l&game=3&ply=30&f.mobility=1.5'
	printf '%9d  peak memory %s\n' "$n" "$(for pid in $(family); do cat "/proc/$pid/status"; done | awk '/VmHWM/ {s += $2/1024} END {print s " MB"}')"
	kill $server; wait $server || true
done; done
