#!/usr/bin/env bash
# Which of 20 players made these moves? Models of 20 masters of chess and 20 of checkers, each of
# its player's games; the games kept to test are asked of in sets of 1, 5, 20 and 100. README.md
# says what came out. Some four minutes of processor time for chess, eight for checkers.
#
#   experiments/identify/study.sh chess    gnuchess_book.pgn.zst build/identify
#   experiments/identify/study.sh checkers oca_dev.pdn.zst       build/identify
set -euo pipefail
game=$1 records=$2 out=$3
kifu=${KIFU:-kifu}
mkdir -p "$out/models-$game"
"$kifu" ingest --game "$game" --out "$out/$game" "$records"

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
	for player in 'Jordan, A*' 'Lowder, E*' 'Long, A*' 'Wyllie, J*' 'Tinsley*' 'Hellman*' 'Ferrie*' 'Banks*' 'Oldbury*' 'Balderson*' \
		'Martins*' 'Fuller, E*' 'Ginsberg*' 'Scheidt*' 'Crawford, C*' 'Gonotsky*' 'Case, B*' 'Bruch*' 'Lafferty*' 'Ryan, W*'; do
		learn "$player" --max-depth 4 --max-decisions 1600 --holdout 0.25 --test 0.35
	done
fi
limits=()
[ "$game" = chess ] && limits=(--max-games 120 --game-decisions 4)
"$kifu" learn --identify "$out/models-$game" "${limits[@]}" --out "$out/$game-identified" "$out/$game"
