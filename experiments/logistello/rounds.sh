#!/bin/sh
# experiments/logistello/rounds.sh WTHOR OUT [GAMES]: tables for Othello from tournament games and two
# rounds of self-play, each of GAMES games (40000): first by the counted terms, then by the
# tables fitted to these. Then 2,000 games against the counted terms, at depth 4.
#
# Self-play is there because nobody who plays in tournaments gives corners away, so that tournament
# games do not say what that costs: a part of the moves is random.
set -eu
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
wthor=$1 out=$2 games=${3:-40000}
mkdir -p "$out"
cd "$out"
target="coalesce(tags['Score'][1]::double, tags['BlackDiscs'][1]::double + coalesce(tags['TheoreticalBlackDiscs'][1]::double, tags['BlackDiscs'][1]::double) - 64)"

# selfplay ROUND PLAYER
selfplay() {
	kifu match --out "self$1" --game othello --games "$games" --orders 0 --openings plies:4 --random-plies 6 --seed "7$1" \
		--player "$2 random=0.07 name=A" --player "$2 random=0.07 name=B" --record "self$1.ggf"
}

# learn ROUND FILES...
learn() {
	round=$1
	shift
	kifu ingest --out "games$round" "$wthor"/*.wtb "$@"
	kifu transform --out "positions$round" --min-ply 6 "games$round"
	kifu tables --out "tables$round" --patterns logistello --method value --games "games$round" --games-target "$target" \
		--holdout 0.05 --tolerance 0.01 "positions$round"
}

selfplay 1 "depth=2 eval=terms"
learn 1 self1.ggf
selfplay 2 "depth=2 eval=tables1/patterns.toml"
learn 2 self1.ggf self2.ggf
kifu match --out match --game othello --games 2000 --openings plies:2 --random-plies 8 --seed 5 \
	--player "depth=4 eval=tables2/patterns.toml" --player "depth=4 eval=terms"
