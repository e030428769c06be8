#!/usr/bin/env bash
# The chess experiments of Takeuchi et al. 2007 with kifu's own evaluator: figures 3
# and 4 (left), figure 5 and table 1. docs/experiments/takeuchi-2007.md says what the
# paper shows and what came out.
#
#   experiments/takeuchi-2007.sh OUT RECORDS [TRANSFORM-FLAG...]
#
# RECORDS is a PGN file or a directory of them. OUT gets datasets, pages, pictures and
# table-1.md. A second run does only what is missing.
set -euo pipefail
out=$1 records=$2
shift 2
kifu=${KIFU:-bin/kifu}
mkdir -p "$out"

$kifu ingest --out "$out/games" "$records"
$kifu transform --out "$out/positions" "$@" "$out/games"
$kifu label --out "$out/original" "$out/positions"

# Every group of terms taken out, and its weight, relative to the original 1.00, given
# back by the winners (table 1).
groups="material pst mobility pawns passed_pawns king_safety knights bishops rooks queens threats space"
fits=()
for group in $groups; do
	$kifu label --out "$out/no-$group" --zero "$group" "$out/positions"
	for method in mlm ls; do
		$kifu fit --out "$out/$method-$group" --method $method --add "$group=$group" --holdout 0.2 "$out/no-$group"
		fits+=("${method}_$group=$out/$method-$group")
	done
done
sql=""
for group in $groups; do
	sql+="${sql:+ union all }select term, m.weight as mlm, m.ci_low as mlm_low, m.ci_high as mlm_high, l.weight as ls, l.ci_low as ls_low, l.ci_high as ls_high, m.positions, m.games from mlm_$group m join ls_$group l using (term)"
done
$kifu query --format markdown "select term as \"group\", round(mlm, 2) as mlm, printf('%.2f to %.2f', mlm_low, mlm_high) as \"95 % interval\", round(ls, 2) as ls, printf('%.2f to %.2f', ls_low, ls_high) as \"95 % interval of ls\", positions, games from ($sql)" "${fits[@]}" >"$out/table-1.md"

# Figure 3 (left): king safety on and off, by quiescence search. Figure 4 (left): by
# the static value.
for value in quiescence static; do
	for labels in original no-king_safety; do
		$kifu report curve --out "$out/king-safety-$value-$labels" --value ${value}_value \
			--when 'safer=king_safety >= 50' --when 'less safe=king_safety <= -50' "$out/$labels"
	done
done

# Figure 5: bishops off, fitted back by least squares (all terms of the group), original.
$kifu fit --out "$out/refit-bishops" --method ls --free bishops --l2 0.0001 "$out/no-bishops"
$kifu label --out "$out/refitted-bishops" --eval "$out/refit-bishops/weights.toml" "$out/positions"
for labels in no-bishops refitted-bishops original; do
	$kifu report curve --out "$out/bishops-$labels" --min-count 1000 \
		--when 'better bishops=bishops >= 30' --when 'worse bishops=bishops <= -30' "$out/$labels"
done
cat "$out/table-1.md"
