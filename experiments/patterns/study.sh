#!/usr/bin/env bash
# Shapes alone beside shapes with features of the move (the move before, captures, checks, ladders), on
# the same held-out games. README.md says what came out.
#
#   experiments/patterns/study.sh chess    chess-masters.pgn.zst build/patterns
#   experiments/patterns/study.sh checkers oca_dev.pdn.zst       build/patterns
#   experiments/patterns/study.sh go       kgs.sgf               build/patterns
set -euo pipefail
game=$1 records=$2 out=$3/$1
kifu=${KIFU:-kifu}
mkdir -p "$out"
"$kifu" ingest --game "$game" --out "$out/games" "$records"
"$kifu" transform --out "$out/positions" "$out/games"
"$kifu" patterns --out "$out/shapes" "$out/positions"
"$kifu" patterns --features --out "$out/features" "$out/positions"
"$kifu" report moves --out "$out/moves" "$out/shapes" "$out/features"
