#!/usr/bin/env bash
# Chunks (Walczak's inductive adversary modeler) beside the opening tree and a learned model. It
# takes the datasets and models that experiments/identify/study.sh made (README.md has chess with models
# that were learned with quiescence, and says what came out). Less than a minute a player.
#
#   experiments/chunks/study.sh chess    build/identify alekhine keres spassky korchnoiv timman gligoric
#   experiments/chunks/study.sh checkers build/identify tinsley lowdere jordana longa hellman wylliej
set -euo pipefail
game=$1 made=$2
for player in "${@:3}"; do
	"${KIFU:-kifu}" learn --chunks "$made/models-$game/$player" --out "$made/chunks-$game/$player" "$made/$game"
done
