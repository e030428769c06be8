#!/bin/sh
# bench/months.sh RECORDS.pgn: a database that grows by twelve files, which have the games of some years each and about the same number
# of them. For each step it prints the processor seconds and the bytes written of the last file and of the whole made at once, and whether
# both are equal: byte for byte, or in their rows where parts begin elsewhere.
#
# KIFU names kifu; without it, it is built.
set -eu
[ $# -eq 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)
records=$(readlink -f "$1")
cd "$tmp"

# cut writes the games into 01.pgn to 12.pgn by their years, those without one first.
cut() {
	zstd -dcqf "$records" | tr -d '\r' | awk '
		function flush() { if (game != "") { n++; year[n] = y; text[n] = game; of[y]++ } game = ""; y = 0 }
		/^\[/ && !tags { flush() }
		{ tags = /^\[/; game = game $0 "\n" }
		/^\[Date "[0-9]/ { y = substr($0, 8, 4) + 0 }
		END {
			flush()
			for (y = 0; y < 3000; y++) { part[y] = 1 + int(sum * 12 / n); sum += of[y] }
			for (i = 1; i <= n; i++) printf "%s", text[i] > sprintf("%02d.pgn", part[year[i]])
		}'
}

# run DIR COMMAND...: runs kifu, and adds to $line its processor seconds and the MB of the parts that it wrote.
run() {
	dir=$1
	shift
	touch stamp
	sleep 0.01
	/usr/bin/time -o time -f '%U %S' "$kifu" "$@" --progress none --out "$dir" >out 2>err || { cat err >&2; exit 1; }
	grep -E 'made again|warning' err >&2 || true
	bytes=$(find "$dir" -name '*.parquet' -newer stamp -printf '%s\n' | awk '{ s += $1 } END { print s + 0 }')
	line="$line $(awk -v b="$bytes" '{ printf "%.2f %.2f", $1 + $2, b / 1e6 }' time)"
	reused=$(sed -n 's/.*; \([0-9]* of [0-9]*\) parts reused.*/\1/p' out)
}

# row NAME WHAT: prints $line, in which run put the last file and the whole.
row() {
	printf '%s' "$line" | awk -v name="$1" -v reused="$kept" -v what="$2" '{ printf "| %s | %s | %s | %s | %s | %s | %s |\n", name, $1, $3, $2, $4, reused == "" ? "–" : reused, what }'
}

# bytes A B: all files have the same bytes.
bytes() {
	for file in "$1"/*; do cmp "$file" "$2/${file##*/}" >&2 || { echo DIFFERENT; return; }; done
	echo 'all bytes'
}

# rows A B QUERY: both have the same answer to a query of t.
rows() {
	[ "$("$kifu" query --format csv "$3" "t=$1")" = "$("$kifu" query --format csv "$3" "t=$2")" ] && echo "rows" || echo DIFFERENT
}

cut
months=$(ls [01]*.pgn)
for month in $months; do
	line=
	run games ingest --append "$month"
	games=$line
	for step in transform:positions:games label:labels:positions motifs:motifs:games; do
		set -- $(echo "$step" | tr : ' ')
		line=
		run "$2" "$1" "$3"
		eval "$1=\$line kept_$1=\$reused"
	done
	line=
	run "month-${month%.pgn}" ingest "$month"
	line=
	run tree tree --append --min-games 1 "month-${month%.pgn}"
	tree=$line
done

printf '| step | last file, s | whole, s | last file, MB | whole, MB | parts reused | equal |\n|---|---:|---:|---:|---:|---:|---|\n'
line=$games kept=
run games-whole ingest $months
row 'ingest --append' "$(rows games games-whole 'select count(*), bit_xor(hash(t)) from t')"
for step in transform:positions:games label:labels:positions motifs:motifs:games; do
	set -- $(echo "$step" | tr : ' ')
	eval "line=\$$1 kept=\$kept_$1"
	run "$2-whole" "$1" "$3"
	row "$1" "$(bytes "$2" "$2-whole")"
done
line=$tree kept=
run tree-whole tree --min-games 1 month-*
row 'tree --append' "$(rows tree tree-whole "with m as (select hash, move, sum(first_wins) w, sum(draws) d, sum(second_wins) l, sum(without_result) n, sum(first_elo_sum) a, sum(second_elo_sum) b, min(first_date) f, max(coalesce(last_date, first_date)) g from t group by all) select count(*), bit_xor(hash(m)) from m")"
