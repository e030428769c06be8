#!/usr/bin/env bash
# Rules of solved endings of chess, as decision trees: rules.sh DIR [KIFU] writes them below DIR (experiments/endings/README.md).
set -euo pipefail
out=$1 kifu=${2:-bin/kifu}
mkdir -p "$out"
P="column_of(board,'P')" PR="row_of(board,'P')" K="column_of(board,'K')" KR="row_of(board,'K')" k="column_of(board,'k')" kr="row_of(board,'k')"
facts_P=(--cut "White to move: first_to_move::int=1" --cut "pawn's rank: $PR=3,4,5,6,7" --cut "pawn from the edge: least($P-1,8-$P)=1,2"
	--cut "Black's king behind the pawn's square: greatest(abs($k-$P),8-$kr)-least(8-$PR,5)-(not first_to_move)::int=0,1,2"
	--cut "steps to the queening square White less Black: greatest(abs($K-$P),8-$KR)-greatest(abs($k-$P),8-$kr)=-1,0,1,2"
	--cut "White's king to pawn: distance(board,'K','P')=2,3" --cut "Black's king to pawn: distance(board,'k','P')=2,3"
	--cut "kings to pawn Black less White: distance(board,'k','P')-distance(board,'K','P')=-1,0,1,2"
	--cut "White's king ahead of the pawn: $KR-$PR=-1,0,1,2,3" --cut "White's king from the pawn's file: abs($K-$P)=1,2"
	--cut "Black's king ahead of the pawn: $kr-$PR=0,1,2,3" --cut "Black's king from the pawn's file: abs($k-$P)=1,2,3"
	--cut "files between kings: abs($K-$k)=1,2,3" --cut "ranks between kings: $kr-$KR=0,1,2,3")
facts_R=(--cut "White to move: first_to_move::int=1" --cut "Black's king attacks the rook: attackers(board,'R','k')=1"
	--cut "White's king guards the rook: attackers(board,'R','K')=1" --cut "Black can move: least(1,mobility(board,'k'))=1"
	--cut "Black is in check: checkers(board)=1")

tree() { # NAME POSITIONS FLAGS…
	"$kifu" conjunctions --progress none --out "$out/$1" --select tree --side first --columns-only --target "case result when 'first' then 1 else -1 end" "${@:3}" "$out/$2"
}
for piece in P R; do
	go run ./experiments/endings/positions $piece >"$out/$piece.epd"
	"$kifu" ingest --progress none --out "$out/$piece" "$out/$piece.epd"
done
tree pawn P "${facts_P[@]}" --max-size 0 --min-support 20 --holdout 0.2
tree pawn-short P "${facts_P[@]}" --max-size 4 --min-support 200 --holdout 0.2
tree pawn-few P "${facts_P[@]}" --max-size 0 --min-support 5 --holdout 0.99925
tree rook R "${facts_R[@]}" --max-size 0 --min-support 5 --holdout 0.2
