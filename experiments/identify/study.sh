#!/usr/bin/env bash
# Which of 20 players made these moves? Models of 20 masters of chess and 20 of checkers, each of
# its player's games; the games kept to test are asked of in sets of 1, 5, 20 and 100. README.md
# says what came out. Some four minutes of processor time for chess, eight for checkers.
#
#   experiments/identify/study.sh chess    build/identify gnuchess_book.pgn.zst
#   experiments/identify/study.sh checkers build/identify oca_dev.pdn.zst tinsley.pdn.zst
#   HOLDOUT=0.1 TEST=0.68 experiments/identify/study.sh checkers build/identify-many oca_dev.pdn.zst tinsley.pdn.zst
set -euo pipefail
game=$1 out=$2
kifu=${KIFU:-kifu}
mkdir -p "$out/models-$game"
"$kifu" ingest --game "$game" --out "$out/$game" "${@:3}"

# learn 'NAME|NAME' FLAGS: the model of one player, in a folder named after the first name.
learn() {
	local names args=() name
	IFS='|' read -ra names <<<"$1"
	for name in "${names[@]}"; do args+=(--player "$name"); done
	"$kifu" learn "${args[@]}" --out "$out/models-$game/$(tr -cd 'A-Za-z' <<<"${names[0]}" | tr A-Z a-z)" --fit shrunk "${@:2}" "$out/$game" >/dev/null
}

if [ "$game" = chess ]; then
	for player in 'Timman*' 'Gligoric*' 'Kor*chnoi, V*' 'Alekhine*' 'Spassky*' 'Miles, A*|Miles A*' 'Portisch*L*' 'Keres*' 'Ivkov*' 'Bronstein*D*' \
		'Taimanov*' 'Polugaevsky*' 'Andersson, U*' 'Karpov*' 'Tal, M*|Tal M*' 'Ljubojevic*' 'Browne*W*' 'Geller, E*|Geller E*' \
		'Kasparov, G*|Kasparov G*|Kasparov, Gar*' 'Botvinnik*'; do
		learn "$player" --max-depth 1 --quiescence=false --max-decisions 1200 --holdout 0.15 --test 0.15 \
			--free knight,bishop,rook,queen,mobility,pawns,passed_pawns,king_safety,knights,bishops,rooks,queens,threats,space,tempo
	done
else
	"$kifu" names --format csv --out "$out/names.csv" "$out/$game"
	for player in 'M Tinsley' 'Jordan, A.' 'Lowder, E.' 'Long, A.A.' 'Hellman, W.' 'Banks, N.W.' 'Wyllie, J.' 'Ferrie, J.' 'Hanson, J.B.' 'Lafferty, D.M.' \
		'Oldbury, D.E.' 'Reynolds, H.B.' 'Ryan, W.F.' 'Fuller, E.' 'Balderson, L.A.' 'Ginsberg, L.C.' 'Scheidt, E.F' 'Crawford, C.' 'Martins, R.' 'Bruch, E.A.'; do
		learn "$player" --aliases "$out/names.csv" --max-depth 4 --max-decisions 1600 --holdout "${HOLDOUT:-0.25}" --test "${TEST:-0.35}"
	done
fi
limits=()
[ "$game" = chess ] && limits=(--max-games 120 --game-decisions 4)
[ "$game" = checkers ] && limits=(--aliases "$out/names.csv")
"$kifu" identify --model "$out/models-$game" "${limits[@]}" --out "$out/$game-identified" "$out/$game"
