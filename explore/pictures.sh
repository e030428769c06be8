#!/usr/bin/env bash
# Draws the pictures of docs/explore.md from what 'make demo' made, with
# Chromium: explore/pictures.sh KIFU DEMO OUT
set -euo pipefail
kifu=${1:-bin/kifu} demo=${2:-demo} out=${3:-docs/images}
token=0123456789abcdefgh log=$(mktemp)
"$kifu" explore --trust --token "$token" "$demo" >"$log" 2>/dev/null &
server=$!
trap 'kill $server; rm -f "$log"' EXIT
for _ in $(seq 100); do [ -s "$log" ] && break; sleep 0.1; done
address=$(head -1 "$log")
picture() { # NAME WIDTH HEIGHT ADDRESS [dark]
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=6000 --window-size="$2,$3" \
		${5:+--blink-settings=preferredColorScheme=0} --screenshot="$out/explore-$1.png" "$address$4" >/dev/null 2>&1
}
picture curves 1000 1060 'curves?on=blind&when=king_safety+%3E%3D+30&name=safe&when=king_safety+%3C%3D+-30&name=unsafe&from=-12.5&to=12.5&of=2'
picture position 1000 620 'position?on=labels&game=3&ply=31'
picture game 1000 700 'game?on=games&id=3&ply=20&by=labels'
picture openings 1000 640 'openings?on=games&line=e2e4+c7c5' dark
picture openings-setup 1000 900 'openings?on=games&setup=1&at=r1bqkbnr%2Fpppp1ppp%2F2n5%2F4p3%2F2B1P3%2F5N2%2FPPPP1PPP%2FRNBQK2R+b+KQkq+-+3+3'
picture setup 400 720 'positions?on=labels&like=*/*/*/*/%3F%3F%3F%3FP*/*/*/*'
