#!/bin/bash
# docs/images/make.sh [WTHOR]: makes the pictures of reports in docs/ anew, by the commands
# that stand beside them, from the bundled games; players.svg from the
# directory WTHOR, which holds the WTHOR base 1977-1998 (kifu datasets get wthor-1998, and so
# on). KIFU names a binary to use instead of one built here. `make docs` draws house.svg.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-images.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)
wthor=${1:+$(cd "$1" && pwd)}
cd "$tmp"
run() { "$kifu" --progress none "$@" >/dev/null; }
take() { cp "$1" "$root/docs/images/$2"; } # FILE NAME
run datasets sample chess-masters --out masters.pgn.zst
run ingest --out games masters.pgn.zst

run transform --out positions --min-ply 10 games # tutorial.md
run label --out blind --zero king_safety positions
run report curve --out curve-blind --when 'safe=king_safety>=30' --when 'unsafe=king_safety<=-30' blind
take curve-blind/curve.svg curve-blind.svg

run transform --legal-moves --out legal games # databases.md
run report database --out database games legal
take database/database.svg database.svg

run transform --out judged --min-ply 8 --sample 0.15 games # judging.md
run label --out labels --search static,quiescence,depth:2 judged
run report calibration --out calibration --value static_value,quiescence_value,depth_2_value labels
take calibration/calibration.svg calibration.svg
run report depth --out depth labels
take depth/depth.svg depth.svg
run choices --out choices --search static,quiescence judged
run report moves --out moves --value static_value,quiescence_value --games games --pattern 'target square=substr(move, 3, 2)' choices
take moves/moves.svg moves.svg

if [ -n "$wthor" ]; then # databases.md
	run ingest --out wthor "$wthor"
	run report players --out players wthor
	take players/players.svg players.svg
fi
