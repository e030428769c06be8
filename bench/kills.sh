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
make datasets sample chess-masters --out all.pgn.zst
zstd -qdc all.pgn.zst | awk '/^\[Event /{ n++ } n <= 150' >few.pgn
zstd -qdc all.pgn.zst | awk -v RS= 'NR % 2 { head = $0; next } head ~ /"Kortchnoi, V"/ && n++ < 60 { print head "\n\n" $0 "\n" }' >one.pgn
for of in "all all.pgn.zst" "few few.pgn" "one one.pgn"; do make ingest --out ${of%% *}-games ${of#* }; done
for of in "all 0.05" "few 0.2"; do
	sample=${of#* } of=${of%% *}
	make transform --out $of-positions --sample $sample --seed 1 $of-games
	make label --out $of-labels $of-positions
done
make transform --out every-positions few-games
make fit --out few-weights --free mobility few-labels
make clean --dedup fuzzy --out cleaned few-games
for of in "Anderssen, Adolf" "Morphy, P"; do make learn --player "$of" --max-depth 1 --max-decisions 20 --fit given --out "models/${of%%,*}" few-games; done
make datasets sample othello-selfplay --out all.ggf.zst
zstd -qdc all.ggf.zst | head -40 >few.ggf
make ingest --game othello --out discs few.ggf
make transform --out discpositions --sample 0.2 --seed 1 discs
make label --out disclabels discpositions
printf 'game = "othello"\nname = "edges"\nunit = "discs"\n\n[[pattern]]\nname = "corner"\nsquares = "a1 b1 c1 a2 b2 c2"\n' >edges.toml
printf 'game,result,a,b\n' >features.csv
awk 'BEGIN { srand(2); for (i = 0; i < 400; i++) { a = int(rand() * 5) - 2; b = int(rand() * 5) - 2; printf "%d,%s,%d,%d\n", i, rand() < 1 / (1 + exp(-a)) ? "first" : "second", a, b } }' >>features.csv
weakling=
(cd "$root" && go build -o "$tmp/weakling" ./cmd/kifu/weakling/uci) && weakling=$tmp/weakling

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
	args = "all-games"
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
	ingest) line=(ingest --out "$2/d" all.pgn.zst) ;;
	transform) line=(transform --out "$2/d" all-games) ;;
	label) line=(label --out "$2/d" all-positions) ;;
	rollouts) line=(label --out "$2/d" --rollouts 20 discpositions) ;;
	backward) line=(backward --out "$2/d" --phases 0,48,54 --depth 2 --solve 4 discpositions) ;;
	fit) line=(fit --out "$2/d" --method "mlm,ls" --free mobility all-labels) ;;
	expected) line=(fit --out "$2/d" --free mobility --add 'pair=(white_bishops>=2)::int-(black_bishops>=2)::int' few-labels) ;;
	tables) line=(tables --out "$2/d" --patterns edges.toml --method ls disclabels) ;;
	features) line=(features --out "$2/d" features.csv) ;;
	conjunctions) line=(conjunctions --out "$2/d" --max-size 2 discpositions) ;;
	patterns) line=(patterns --out "$2/d" every-positions) ;;
	report) line=(report curve --out "$2/d" few-labels) ;;
	report-all) line=(report all --out "$2/d" few-games few-positions few-labels few-weights) ;;
	split) line=(report split --out "$2/d" all-labels) ;;
	player) line=(player --out "$2/d" "Anderssen, Adolf" few-games few-labels) ;;
	match) line=(match --out "$2/d" --player depth=1 --player depth=2 --games 20 --openings few.pgn --opening-plies 6 --record "$2/games.pgn") ;;
	evolve) line=(evolve --out "$2/d" --generations 4 --population 6 --games 2 --depth 1) ;;
	tune) line=(tune --out "$2/d" --player "uci:$weakling depth=1" --param 'Tactics, int, 20, 0, 100, 15, 0.02' --games 64 --pairs 4 --resign 300:2 --random-plies 6 --max-plies 40) ;;
	sort) line=(sort --by player --out "$2/d" all-games) ;;
	by-hash) line=(sort --by hash --out "$2/d" all-positions) ;;
	duplicates) line=(duplicates --out "$2/d" all-games) ;;
	clean) line=(clean --dedup fuzzy --out "$2/d" all-games) ;;
	undo) line=(clean --undo --out "$2/d" cleaned) ;;
	names) line=(names --format csv --out "$2/d.csv" all-games) ;;
	find) line=(find --moves "e4 e5" --out "$2/d.csv" all-games) ;;
	learn) line=(learn --player "Kortchnoi, V" --max-depth 1 --max-decisions 20 --fit lp --out "$2/d" one-games) ;;
	identify) line=(identify --model models --out "$2/d" few-games) ;;
	chunks) line=(chunks --model models/Anderssen --out "$2/d" few-games) ;;
	run) line=(run --set "out=$2/d" study.toml) ;;
	query) line=(query --out "$2/d.csv" "select * from p order by hash, game_id" p=all-positions) ;;
	parquet) line=(query --out "$2/d.parquet" --format parquet "select * from p order by hash, game_id" p=all-positions) ;;
	export) line=(export --out "$2/d.pgn" all-games) ;;
	get) line=(datasets get big --out "$2/d") ;;
	*) echo "kills.sh: no command $1" >&2; exit 2 ;;
	esac
}
sums() { (cd "$1" && find . -not -name .lock \( -type f -o -type l \) -exec sha256sum {} + | sort -k 2; find . -type d | sort); } # DIR

failed=0
echo "| command | seconds undisturbed | kills | before the end | that differ |"
echo "|---|---|---|---|---|"
for name in ${COMMANDS:-ingest transform label rollouts backward fit expected tables features conjunctions patterns report report-all split player match evolve tune sort by-hash duplicates clean undo names find learn identify chunks run query parquet export get}; do
	if [ $name = tune ] && [ -z "$weakling" ]; then echo "| tune | left out: no program to tune | | | |"; continue; fi
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
		"$kifu" --progress none "${line[@]}" >"$tmp/said" 2>&1 || grep -q "exists" "$tmp/said" || cat "$tmp/said" >&2
		sums "$out" >"$tmp/sums"
		ls -A "$tmp/temp" | sed 's/^/temporary: /' >>"$tmp/sums"
		rm -rf "$tmp/temp"; mkdir "$tmp/temp"
		diff "$tmp/whole" "$tmp/sums" >"$tmp/diff" || { differ=$((differ + 1)); echo "$name killed after $moment s:" >&2; head -5 "$tmp/diff" >&2; }
	done
	printf '| %s | %.1f | %d | %d | %d |\n' $name "$seconds" "$kills" $cut $differ
	[ $differ = 0 ] || failed=1
done
exit $failed
