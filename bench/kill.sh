#!/bin/sh
# bench/kill.sh FILE.pgn[.zst] [KILLS [SEED]]: kills kifu ingest of FILE, then kifu transform
# of its games, at KILLS (50) random moments each, drawn by SEED (1). After each kill the
# same command runs again, on one worker and on two by turns, and goes on where it was cut
# off; each dataset that gets finished so is compared, file by file and byte by byte, with
# that of a run which nobody disturbed. Ends with 1 if a file differs.
#
# Parts hold 16,384 games: FILE should have many times as many, or there is nothing to go
# on from. KIFU names a binary to try instead of one built here.
set -eu
[ $# -gt 0 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
file=$1 kills=${2:-50} seed=${3:-1}
[ -f "$file" ] || { echo "kill.sh: no file $file" >&2; exit 2; }

root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-bench-kill.XXXXXX")
child=
trap '[ -z "$child" ] || kill -9 $child 2>/dev/null || true; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)

sums() { (cd "$1" && find . -type f -exec sha256sum {} + | sort -k 2); } # DIR
parts() { find "$1" -name 'part-*.parquet.json' 2>/dev/null | wc -l; }  # DIR: whole, of an unfinished run
moments() { awk -v n="$kills" -v seed="$seed" -v t="$1" 'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%.3f\n", t * rand() }'; } # SECONDS

# finished compares what a run has finished with the undisturbed and clears it away.
finished() {
	builds=$((builds + 1))
	sums "$out" >"$tmp/sums"
	if ! diff "$tmp/whole.sums" "$tmp/sums" >&2; then
		differ=$((differ + 1))
	fi
	rm -rf "$out"
}

failed=0
stage() { # NAME INPUT: leaves the undisturbed dataset as $tmp/NAME
	name=$1 input=$2 out=$tmp/killed done=0 builds=0 differ=0 resumed=0 kept=0
	begun=$(date +%s.%N)
	"$kifu" "$name" --progress none --out "$tmp/$name" "$input" >/dev/null 2>&1
	seconds=$(echo "$(date +%s.%N) - $begun" | bc)
	sums "$tmp/$name" >"$tmp/whole.sums"
	moments "$seconds" >"$tmp/moments"
	while read -r moment; do
		while :; do
			before=$(parts "$out") status=0
			"$kifu" "$name" --progress none --workers $((done % 2 + 1)) --out "$out" "$input" >"$tmp/said" 2>&1 &
			child=$!
			sleep "$moment"
			kill -9 $child 2>/dev/null || true
			wait $child 2>/dev/null || status=$?
			child=
			case $status in
			137) break ;;
			0) finished ;; # before the moment came: a new build takes its place
			*) echo "kill.sh: kifu $name failed:" >&2; cat "$tmp/said" >&2; exit 1 ;;
			esac
		done
		done=$((done + 1))
		[ "$before" = 0 ] || resumed=$((resumed + 1))
		kept=$((kept + before))
	done <"$tmp/moments"
	"$kifu" "$name" --progress none --out "$out" "$input" >/dev/null 2>&1
	finished
	printf '| %s | %.1f | %d | %d | %d | %d | %d | %d |\n' "$name" "$seconds" "$(wc -l <"$tmp/whole.sums")" $done $resumed $kept $builds $differ
	[ $differ = 0 ] || failed=1
}

echo "| command | seconds undisturbed | files | kills | of runs that went on from whole parts | parts taken over | datasets finished | that differ |"
echo "|---|---|---|---|---|---|---|---|"
stage ingest "$file"
stage transform "$tmp/ingest"
exit $failed
