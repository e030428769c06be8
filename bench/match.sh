#!/bin/sh
# bench/match.sh [GAMES]: kifu match beside fastchess: the same two programs (Stockfish and
# Fairy-Stockfish of Debian, by nodes, so that they play the same game each time), the same
# book, draws, resignations and test, GAMES (60) games, one at a time, in turn.
#
# It prints whether the games are the same, move by move; the statistics of both, which count
# the same games; the processor time of a game, that of the programs and the rest, which is the
# manager's; the same with programs that hardly search (1 node); and losses on time at 0.5+0.01 s.
#
#   FASTCHESS  github.com/Disservin/fastchess, built with make: the program (required)
#   KIFU       a kifu to measure instead of one built here
set -eu
games=${1:-60}
[ -x "${FASTCHESS:-}" ] || { sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-bench-match.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
PATH=$PATH:/usr/games
for package in stockfish fairy-stockfish; do
	command -v $package >/dev/null || { echo "installing $package" >&2; apt-get install -y -qq $package >/dev/null; }
done
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)
cd "$tmp"

# The book: the positions after eight plies of the bundled games, each once.
"$kifu" datasets sample chess-masters --out masters.pgn.zst >/dev/null
"$kifu" ingest --out games masters.pgn.zst >/dev/null
"$kifu" transform --out positions --min-ply 8 --max-ply 8 --dedup games >/dev/null
"$kifu" export --out book.epd positions >/dev/null

# The programs note their own processor time.
for program in stockfish fairy-stockfish; do
	cat >"$program.sh" <<END
#!/bin/sh
exec python3 -c 'import resource, subprocess
subprocess.call("$(command -v $program)")
time = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
open("$tmp/programs", "a").write("%.3f\n" % sum(t.ru_utime + t.ru_stime for t in time))'
END
	chmod 755 "$program.sh"
done
cpu() { # NAME COMMAND...: the processor time of a command and all that it started, in NAME.cpu
	name=$1; shift
	: >programs
	python3 -c 'import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
r = resource.getrusage(resource.RUSAGE_CHILDREN)
open(sys.argv[1], "w").write("%.3f %.3f" % (r.ru_utime, r.ru_stime))
sys.exit(code)' "$name.cpu" "$@" >"$name.log" 2>&1 || { cat "$name.log" >&2; exit 1; }
	mv programs "$name.programs"
}
fast() { # NAME LIMIT LIMIT GAMES, with what ends games in $ends
	# shellcheck disable=SC2086
	cpu "$1" "$FASTCHESS" -engine cmd="$tmp/stockfish.sh" name=A "$2" option.Hash=16 \
		-engine cmd="$tmp/fairy-stockfish.sh" name=B "$3" option.Hash=16 -rounds $(($4 / 2)) -games 2 -repeat \
		-openings file=book.epd format=epd order=sequential -concurrency 1 -ratinginterval 0 -scoreinterval 0 \
		-pgnout file="$1.pgn" -config outname="$tmp/$1.json" $ends
}
own() { # NAME LIMIT LIMIT GAMES FLAGS...: the same of kifu
	name=$1 first=$2 second=$3 n=$4; shift 4
	cpu "$name" "$kifu" match --workers 1 --progress none --orders 0 --out "$name" --player "uci:$tmp/stockfish.sh $first Hash=16 name=A" \
		--player "uci:$tmp/fairy-stockfish.sh $second Hash=16 name=B" --games "$n" --openings book.epd --record "$name.pgn" "$@"
}
own_time() { awk 'NR == FNR { all = $1 + $2; next } { all -= $1 } END { print all }' "$1.cpu" "$1.programs"; }
each() { # NAME GAMES
	awk -v n="$2" -v own="$(own_time "$1")" '{ printf "%s: %.1f ms a game, of which its own %.1f\n", name, 1000 * ($1 + $2) / n, 1000 * own / n }' name="$1" "$1.cpu"
}

ends='-draw movenumber=30 movecount=4 score=20 -resign movecount=3 score=400 -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized'
fast fastchess nodes=1000 nodes=3000 "$games"
own kifu nodes=1000 nodes=3000 "$games" --draw 30:4:20 --resign 'movecount=3 score=400' --sprt 0:5
echo "## $games games, A: stockfish nodes=1000, B: fairy-stockfish nodes=3000"
for name in fastchess kifu; do "$kifu" ingest --out "$name-read" "$name.pgn" >/dev/null; done
# fastchess writes games in the order in which they began.
"$kifu" query 'select count(*) as games, sum((a.moves = b.moves and a.result = b.result and a.evals = b.evals)::int) as equal_moves_results_evals
	from a join b using (game_id)' a=fastchess-read b=kifu-read
echo "fastchess:"; grep -E '^(Elo|LOS|Games|Ptnml|LLR)' fastchess.log | tail -5
echo "kifu:"; grep -E '^(pairs|as fishtest|log likelihood|ends)' kifu.log
each fastchess "$games"; each kifu "$games"

ends=''
fast fastchess1 nodes=1 nodes=1 "$games"
own kifu1 nodes=1 nodes=1 "$games"
echo "## programs that hardly search (nodes=1)"
each fastchess1 "$games"; each kifu1 "$games"
awk -v a="$(own_time fastchess1)" -v b="$(own_time kifu1)" 'BEGIN { printf "of its own, fastchess takes %.2f times the processor time of kifu\n", a / b }'

fast fastchess2 tc=0.5+0.01 tc=0.5+0.01 20
own kifu2 tc=0.5+0.01 tc=0.5+0.01 20
echo "## losses on time of 20 games at 0.5+0.01 s"
for name in fastchess2 kifu2; do echo "$name: $(grep -c 'Termination "time forfeit"' $name.pgn || true)"; done
