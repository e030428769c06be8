#!/usr/bin/env bash
# Chunks (Walczak's inductive adversary modeler) beside the opening tree and a learned model, for six
# players of chess and six of checkers: models, predictions and the tables of README.md. Half a minute of
# processor time a player.
#
#   experiments/chunks/study.sh chess    build/chunks gnuchess_book.pgn.zst
#   experiments/chunks/study.sh checkers build/chunks oca_dev.pdn.zst tinsley.pdn.zst
set -euo pipefail
game=$1 out=$2
kifu=${KIFU:-kifu}
mkdir -p "$out/models-$game"
"$kifu" ingest --game "$game" --out "$out/$game" "${@:3}"

case $game in
chess)
	players=('Alekhine*' 'Keres*' 'Spassky*' 'Kor*chnoi, V*' 'Timman*' 'Gligoric*')
	flags=(--max-depth 1 --max-decisions 1200 --holdout 0.15 --test 0.15
		--free knight,bishop,rook,queen,mobility,pawns,passed_pawns,king_safety,knights,bishops,rooks,queens,threats,space,tempo)
	;;
checkers)
	"$kifu" names --format csv --out "$out/names.csv" "$out/$game"
	players=('M Tinsley' 'Jordan, A.' 'Lowder, E.' 'Long, A.A.' 'Hellman, W.' 'Wyllie, J.')
	flags=(--aliases "$out/names.csv" --max-depth 4 --max-decisions 1600 --holdout 0.25 --test 0.25)
	;;
esac

tables=() sources=()
for player in "${players[@]}"; do
	name=$(tr -cd 'A-Za-z' <<<"$player" | tr A-Z a-z)
	"$kifu" learn --player "$player" --out "$out/models-$game/$name" --fit shrunk "${flags[@]}" "$out/$game" >/dev/null
	"$kifu" chunks --model "$out/models-$game/$name" --out "$out/chunks-$game/$name" "$out/$game" >/dev/null
	tables+=("select ${#tables[@]} as place, '$name' as player, * from ${name}_plies")
	sources+=("$name=$out/chunks-$game/$name")
done

# The mean of the players has the error of their games: who they are is taken as given.
all=$(printf ' union all %s' "${tables[@]}")
"$kifu" query --format markdown --out "$out/$game.md" "
with t as (${all# union all }),
u as (select place, player, from_ply, to_ply, predictor, decisions, random, \"right\", right_within, ahead_of_tree_model as ahead, ahead_within, log_loss from t
  union all select 99, 'mean', from_ply, to_ply, predictor, sum(decisions), avg(random), avg(\"right\"), sqrt(sum(right_within ** 2)) / count(*),
    avg(ahead_of_tree_model), sqrt(sum(ahead_within ** 2)) / count(*), avg(log_loss) from t group by all),
s as (select *, printf('%.1f ± %.1f %%', 100 * \"right\", 100 * right_within) as share, printf('%+.1f ± %.1f %%', 100 * ahead, 100 * ahead_within) as lead,
  printf('%.3f', log_loss) as loss from u),
w as (select place, player, from_ply, to_ply, any_value(decisions) as moves, any_value(random) as random,
  max(share) filter (predictor = 'tree') as tree, max(share) filter (predictor = 'model') as model, max(share) filter (predictor = 'chunks') as chunks,
  max(share) filter (predictor = 'tree + model') as two, max(loss) filter (predictor = 'tree + model') as loss_two,
  max(share) filter (predictor = 'tree + model + chunks') as three, max(lead) filter (predictor = 'tree + model + chunks') as more,
  max(loss) filter (predictor = 'tree + model + chunks') as loss_three
  from s group by all)
select player, case when to_ply is null then 'all' else from_ply + 1 || ' to ' || to_ply end as plies, moves, printf('%.1f %%', 100 * random) as random,
  tree, model, chunks, two as \"tree + model\", three as \"with chunks\", more, loss_two as \"log-loss without\", loss_three as \"with\"
from w where to_ply <= 30 or (from_ply = 0 and to_ply is null) order by place, to_ply is null, from_ply, to_ply" "${sources[@]}"
