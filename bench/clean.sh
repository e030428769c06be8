#!/bin/bash
# bench/clean.sh BOOK PLAYERS...: precision and recall of kifu clean and kifu names, held to what
# people see. BOOK is gnuchess_book.pgn.zst (public domain), PLAYERS are Capablanca.pgn.zst,
# Carlsen.pgn.zst, Fischer.pgn.zst, Kasparov.pgn.zst, Morphy.pgn.zst, PolgarJ.pgn.zst, Tal.pgn.zst and
# alphazero_vs_stockfish_all.pgn.zst, whose games overlap with it.
#
# bench/clean/games.csv: 120 games, sampled by a hash among those of Fischer, Capablanca, Tal and
# Morphy in PLAYERS, and for each all games of the same event that its players' records have in
# either, judged by eye from players, dates, results, events, rounds and moves side by side, among all
# with the player and an opponent of the same three letters, or 24 moves in common at the start.
# bench/clean/names.csv: all spellings of twelve players, chosen by eye among the names that begin like
# theirs, surnames alone with them.
#
# Prints what is found, for both ways to find duplicates; then names at three confidences. KIFU names a
# binary to try instead of one built here.
set -eu
[ $# -ge 2 ] || { sed -n '2,18p' "$0"; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-clean.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu)
"$kifu" ingest --progress none --out "$tmp/games" "$@"
for how in exact fuzzy; do
	"$kifu" clean --progress none --dedup $how --out "$tmp/$how" "$tmp/games"
	"$kifu" query --format markdown "
		WITH one AS (SELECT g.game_id, coalesce(c.from_id, g.game_id) AS kept, g.source_file AS file, g.source_offset AS place
			FROM g LEFT JOIN (SELECT * FROM c_changes WHERE change = 'duplicate') c USING (game_id)),
		hand AS (SELECT h.sample, h.sampled, o.game_id, o.kept FROM h JOIN one o USING (file, place)),
		found AS (SELECT s.sample, o.game_id FROM hand s JOIN one o ON o.kept = s.kept WHERE s.sampled = 1 AND o.game_id <> s.game_id),
		wanted AS (SELECT sample, game_id FROM hand WHERE sampled = 0),
		n AS (SELECT (SELECT count(*) FROM found) AS found, (SELECT count(*) FROM wanted) AS there,
			(SELECT count(*) FROM found JOIN wanted USING (sample, game_id)) AS 'right')
		SELECT '$how' AS duplicates, *, n.right / found AS precision, n.right / there AS recall FROM n" \
		g="$tmp/games" c="$tmp/$how" h="$root/bench/clean/games.csv"
done
for least in 0.9 0.8 0.7; do
	"$kifu" names --format csv --min-confidence $least --force --out "$tmp/names.csv" "$tmp/games" 2>/dev/null
	"$kifu" query --format markdown "
		WITH sides AS (SELECT unnest([first_player, second_player]) AS name FROM g),
		players AS (SELECT name, count(*) AS games FROM sides GROUP BY name),
		one AS (SELECT p.name, p.games, coalesce(n.canonical, p.name) AS canonical, h.person
			FROM players p LEFT JOIN n USING (name) LEFT JOIN h USING (name)),
		clusters AS (SELECT person, canonical, count(*) AS names, sum(games) AS games FROM one WHERE person IS NOT NULL GROUP BY ALL),
		largest AS (SELECT person, max(names) AS names, max(games) AS games FROM clusters GROUP BY person),
		wrong AS (SELECT count(*) AS n FROM one JOIN (SELECT DISTINCT canonical, person AS of FROM clusters) USING (canonical) WHERE person IS DISTINCT FROM of)
		SELECT '$least' AS confidence, (SELECT sum(names) FROM clusters) AS spellings, (SELECT sum(names) FROM largest) AS together,
			(SELECT sum(games) FROM largest) / (SELECT sum(games) FROM clusters) AS share_of_games, (SELECT n FROM wrong) AS others" \
		g="$tmp/games" n="$tmp/names.csv" h="$root/bench/clean/names.csv"
done
