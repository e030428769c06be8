#!/bin/sh
# bench/human.sh GAMES [OUT]: kifu human next to other programs on the same decisions of the rapid
# games of Lichess (experiments/human/README.md); prints the table. Stockfish (Debian) is installed
# if it is missing. lc0 by Maia's networks is left out unless variables say where it is:
#
#   LC0     github.com/LeelaChessZero/lc0: the program
#   MAIA    github.com/CSSLab/maia-chess: the directory maia_weights
#   KIFU    a kifu to run instead of one built here
#   FLAGS   instead of the flags of kifu human below
set -eu
[ $# -gt 0 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-bench-human.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
games=$1 out=${2:-$tmp/human}
PATH=$PATH:/usr/games
command -v stockfish >/dev/null || { echo "installing stockfish" >&2; apt-get install -y -qq stockfish >/dev/null; }
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)
set -- --engine 'uci:stockfish depth=1 name=Stockfish'
if [ -n "${LC0:-}" ] && [ -n "${MAIA:-}" ]; then
	for rating in 1100 1500 1900; do
		set -- "$@" --engine "uci:$LC0 nodes=1 WeightsFile=$MAIA/maia-$rating.pb.gz VerboseMoveStats=true PolicyTemperature=1 Threads=1 NNCacheSize=1000 name=Maia-$rating"
	done
else
	echo "left out: lc0 by Maia's networks (LC0, MAIA)" >&2
fi
export OPENBLAS_NUM_THREADS=1
# shellcheck disable=SC2086
"$kifu" human --progress none --out "$out" ${FLAGS:---min-elo 1100 --max-elo 1900 --test-from 2022-10 --depth 2 --max-decisions 40000 --max-tested 20000} "$@" "$games"
