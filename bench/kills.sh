#!/bin/bash
# bench/kills.sh [KILLS [SEED]]: kills (SIGKILL) every command that builds something, at KILLS
# (60) random moments each, drawn by SEED (1), runs it again after each kill, and compares
# all that it leaves with what an undisturbed run leaves, byte by byte: nothing else may be
# there, beside the output or in the directory for temporary files. Prints a line per command;
# ends with 1 if a byte differs. bench/kill.sh kills ingest and transform of a large file.
# KIFU names a binary to try instead of one built here, COMMANDS those to kill.
set -u
kills=${1:-60} seed=${2:-1}
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-kills.XXXXXX")
child= server=
trap '[ -z "$child" ] || kill -9 $child 2>/dev/null; [ -z "$server" ] || kill $server; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu) || exit 1
export XDG_CACHE_HOME=$tmp/cache TMPDIR=$tmp/temp
mkdir -p "$tmp/temp" "$tmp/in" "$tmp/www"
cd "$tmp/in" || exit 1
make() { "$kifu" --progress none "$@" >"$tmp/said" 2>&1 || { cat "$tmp/said" >&2; exit 1; }; }
make datasets sample chess-masters --out m.pgn.zst
make ingest --out games m.pgn.zst
make transform --out positions --sample 0.05 --seed 1 games
make label --out labels positions
make fit --out weights --free mobility labels
make clean --dedup fuzzy --out cleaned games
make datasets sample othello-selfplay --out o.pgn.zst
make ingest --game othello --out discs o.pgn.zst
make transform --out discpositions --sample 0.05 --seed 1 discs
make label --out disclabels discpositions

head -c 100000000 /dev/zero | tr '\0' x >"$tmp/www/big.pgn"
if command -v python3 >/dev/null; then
	(cd "$tmp/www" && exec python3 -m http.server 0 --bind 127.0.0.1) >"$tmp/port" 2>/dev/null &
	server=$!
	for _ in $(seq 50); do grep -q port "$tmp/port" && break; sleep 0.1; done
	port=$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$tmp/port")
	printf '[[database]]\nname = "big"\ngame = "chess"\nwhat = "big"\nlicence = "none"\nhome = "http://127.0.0.1:%s/"\naddress = "http://127.0.0.1:%s/big.pgn"\n' "$port" "$port" >"$tmp/own.toml"
	export KIFU_CATALOG=$tmp/own.toml
fi
cat >"$tmp/in/study.toml" <<-END
	[set]
	to = "x"
	[[step]]
	name = "positions"
	run = "transform"
	args = "games"
	sample = "0.05"
	[[step]]
	name = "labels"
	run = "label"
	args = "{positions}"
	[[step]]
	name = "fit"
	run = "fit"
	free = "mobility"
	args = "{labels}"
	method = ["mlm", "ls"]
	[[step]]
	name = "curve"
	run = "report curve"
	args = "{labels}"
END

line() { # COMMAND OUT: sets line to the command that writes below directory OUT
	case $1 in
	ingest) line=(ingest --out "$2/d" m.pgn.zst) ;;
	transform) line=(transform --out "$2/d" games) ;;
	label) line=(label --out "$2/d" positions) ;;
	fit) line=(fit --out "$2/d" --method "mlm,ls" --free mobility labels) ;;
	report) line=(report curve --out "$2/d" labels) ;;
	report-all) line=(report all --out "$2/d" games positions labels weights) ;;
	match) line=(match --out "$2/d" --player depth=1 --player depth=2 --games 40 --openings plies:4 --record "$2/games.pgn") ;;
	sort) line=(sort --by player --out "$2/d" games) ;;
	duplicates) line=(duplicates --out "$2/d" games) ;;
	clean) line=(clean --dedup fuzzy --out "$2/d" games) ;;
	undo) line=(clean --undo --out "$2/d" cleaned) ;;
	rollouts) line=(label --out "$2/d" --rollouts 20 discpositions) ;;
	backward) line=(label --out "$2/d" --backward 0,48,54 --backward-depth 4 --solve 6 discpositions) ;;
	tables) line=(fit --out "$2/d" --patterns logistello disclabels) ;;
	conjunctions) line=(conjunctions --out "$2/d" --max-size 2 discpositions) ;;
	learn) line=(learn --player "Kortchnoi, V" --max-depth 1 --max-decisions 30 --out "$2/d" games) ;;
	evolve) line=(evolve --out "$2/d" --generations 4 --population 6 --games 2 --depth 1) ;;
	run) line=(run --set "out=$2/d" study.toml) ;;
	query) line=(query --out "$2/d.csv" "select * from p order by hash, game_id" p=positions) ;;
	export) line=(export --out "$2/d.pgn" games) ;;
	get) line=(datasets get big --out "$2/d") ;;
	*) echo "kills.sh: no command $1" >&2; exit 2 ;;
	esac
}
sums() { (cd "$1" && find . -not -name .lock \( -type f -o -type l \) -exec sha256sum {} + | sort -k 2; find . -type d | sort); } # DIR

failed=0
echo "| command | seconds undisturbed | kills | before the end | that differ |"
echo "|---|---|---|---|---|"
for name in ${COMMANDS:-ingest transform label fit report report-all match sort duplicates clean undo rollouts backward tables conjunctions learn evolve run query export get}; do
	if [ $name = get ] && [ -z "$server" ]; then echo "| get | left out: no python3 | | | |"; continue; fi
	out=$tmp/out; rm -rf "$out"; mkdir "$out"
	line $name "$out"
	begun=$(date +%s.%N)
	make "${line[@]}"
	seconds=$(echo "$(date +%s.%N) - $begun" | bc)
	sums "$out" >"$tmp/whole"
	differ=0 cut=0
	for moment in $(awk -v n="$kills" -v seed="$seed" -v t="$seconds" 'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%.3f\n", t * rand() }'); do
		rm -rf "$out"; mkdir "$out"
		"$kifu" --progress none "${line[@]}" >/dev/null 2>&1 &
		child=$!
		sleep "$moment"
		kill -9 $child 2>/dev/null
		wait $child 2>/dev/null; [ $? = 137 ] && cut=$((cut + 1))
		child=
		"$kifu" --progress none "${line[@]}" >"$tmp/said" 2>&1 || grep -q "is there already" "$tmp/said" || cat "$tmp/said" >&2
		sums "$out" >"$tmp/sums"
		ls -A "$tmp/temp" | sed 's/^/temporary: /' >>"$tmp/sums"
		rm -rf "$tmp/temp"; mkdir "$tmp/temp"
		diff "$tmp/whole" "$tmp/sums" >"$tmp/diff" || { differ=$((differ + 1)); echo "$name killed after $moment s:" >&2; head -5 "$tmp/diff" >&2; }
	done
	printf '| %s | %.1f | %d | %d | %d |\n' $name "$seconds" "$kills" $cut $differ
	[ $differ = 0 ] || failed=1
done
exit $failed
