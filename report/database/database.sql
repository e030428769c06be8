{{- /* data: databaseSQL in database.go */ -}}
/* A database of games in numbers: one row per fact, in sections. To run it: kifu query,
   with the datasets named as in FROM. Columns that a section does not use are null.

   games                 all games, those with both ratings, and those without handicap where others have one
   first-move advantage  in Elo: by score alone, and given the ratings
   rating difference     first player's rating minus the second's, in bins of {{.Bin}}
   length                games by plies, in bins of {{.LengthBin}}
   duplicates            games with the same moves as an earlier game; groups: number of such groups
   branching, phase, ply legal moves in positions where one was played (mean): of all, by phase and by ply
   rejected, noted       games that are not in the dataset, and unusual games in it, from the manifest
   literature            branching factor (mean) and length (plies) in Mańdziuk 2010, section 1.1

   score is the first player's, with a draw as half a win. low and high are Wilson's 95 %
   interval for the number of games with the same variance without draws{{if .Players.On}} and,
   if players make games dependent, without players who return (clusters){{end}}. expected is
   the mean of Elo's expectation; expected_first adds the first-move advantage.
   Ratings and first-move advantage are of games without handicap. Sums of fractions are ordered, so they round the same on any number of threads. */
WITH RECURSIVE game_rows AS (
{{- range $i, $g := .Games}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{.Quoted}} AS source, {{$i}} AS number, {{if $.Players.On}}game_id, {{end}}result, ply_count, has_handicap(variant) AS handicap, CASE WHEN NOT handicap THEN first_elo::INTEGER - second_elo END AS difference, date,
		hash(variant, start_position, moves) AS line, hash(first_player, second_player, date) AS who
	FROM {{.View}}{{end}}
), handicapped AS MATERIALIZED (
	SELECT DISTINCT number FROM game_rows WHERE handicap
), tally_facts AS (
	SELECT number, source, 'games' AS section, 'all' AS item, 0 AS place, NULL::DOUBLE AS value, count(*) AS games,
		count(*) FILTER (result = 'first') AS first_wins, count(*) FILTER (result = 'draw') AS draws, count(*) FILTER (result = 'second') AS second_wins,
		sum(ply_count)::BIGINT AS plies, avg(ply_count) AS mean, quantile_cont(ply_count, [0.1, 0.5, 0.9]) AS deciles, NULL::DOUBLE AS expected, min(date) AS first_date, max(date) AS last_date
	FROM game_rows GROUP BY number, source
	UNION ALL
	SELECT number, source, 'games', 'with both ratings', 1, NULL, count(*),
		count(*) FILTER (result = 'first'), count(*) FILTER (result = 'draw'), count(*) FILTER (result = 'second'),
		sum(ply_count)::BIGINT, avg(ply_count), quantile_cont(ply_count, [0.1, 0.5, 0.9]), avg(elo_expectation(difference, 0) ORDER BY difference) FILTER (result IS NOT NULL), min(date), max(date)
	FROM game_rows WHERE difference IS NOT NULL GROUP BY number, source
	UNION ALL
	SELECT number, source, 'games', 'without handicap', 2, NULL, count(*),
		count(*) FILTER (result = 'first'), count(*) FILTER (result = 'draw'), count(*) FILTER (result = 'second'),
		sum(ply_count)::BIGINT, avg(ply_count), quantile_cont(ply_count, [0.1, 0.5, 0.9]), NULL, min(date), max(date)
	FROM game_rows WHERE NOT handicap AND number IN (SELECT number FROM handicapped) GROUP BY number, source
	UNION ALL
	SELECT number, source, 'rating difference', 'bin', 0, eval_bin(difference, {{.Bin}}) AS value, count(*),
		count(*) FILTER (result = 'first'), count(*) FILTER (result = 'draw'), count(*) FILTER (result = 'second'),
		sum(ply_count)::BIGINT, avg(ply_count), quantile_cont(ply_count, [0.1, 0.5, 0.9]), avg(elo_expectation(difference, 0) ORDER BY difference), NULL, NULL
	FROM game_rows WHERE difference IS NOT NULL AND result IS NOT NULL GROUP BY number, source, eval_bin(difference, {{.Bin}})
	UNION ALL
	SELECT number, source, 'length', 'bin', 0, floor(ply_count / {{.LengthBin}}::DOUBLE) * {{.LengthBin}} AS value, count(*),
		count(*) FILTER (result = 'first'), count(*) FILTER (result = 'draw'), count(*) FILTER (result = 'second'),
		sum(ply_count)::BIGINT, avg(ply_count), quantile_cont(ply_count, [0.1, 0.5, 0.9]), NULL, NULL, NULL
	FROM game_rows GROUP BY number, source, floor(ply_count / {{.LengthBin}}::DOUBLE)
), {{if .Players.On}}{{template "clusters" .Players}}, scored_games AS (
	SELECT number, 'games' AS section, 'all' AS item, NULL::DOUBLE AS value, game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END::DOUBLE AS points
	FROM game_rows WHERE result IS NOT NULL
	UNION ALL
	SELECT number, 'games', 'with both ratings', NULL, game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END FROM game_rows WHERE result IS NOT NULL AND difference IS NOT NULL
	UNION ALL
	SELECT number, 'games', 'without handicap', NULL, game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END FROM game_rows WHERE result IS NOT NULL AND NOT handicap
	UNION ALL
	SELECT number, 'rating difference', 'bin', eval_bin(difference, {{.Bin}}), game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END FROM game_rows WHERE result IS NOT NULL AND difference IS NOT NULL
	UNION ALL
	SELECT number, 'length', 'bin', floor(ply_count / {{.LengthBin}}::DOUBLE) * {{.LengthBin}}, game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END FROM game_rows WHERE result IS NOT NULL
), player_facts AS (
	-- as many times as by game the score varies by player
	SELECT number, section, item, c.value AS value, {{.Players.ByPlayer "points" "size" "score" "n"}} / nullif(any_value(game_variance), 0) AS effect,
		{{.Players.Sizes "size" "n"}} AS player_sizes
	FROM (SELECT number, section, item, value, cluster, factor, sum(points) AS points, count(*)::DOUBLE AS size
		FROM scored_games JOIN clusters ON contest = number AND clusters.game_id = scored_games.game_id GROUP BY ALL) c
		JOIN (SELECT number, section, item, value, first_wins + draws + second_wins AS n, (first_wins + draws / 2::DOUBLE) / n AS score,
			((first_wins + draws / 4::DOUBLE) / n - score * score) * n / pow(nullif(n - 1, 0), 2) AS game_variance FROM tally_facts WHERE n > 0) s
			USING (number, section, item) WHERE s.value IS NOT DISTINCT FROM c.value
	GROUP BY ALL
), {{end}}score_facts AS (
	SELECT {{if .Players.On}}k.{{end}}*, first_wins + draws + second_wins AS n, (first_wins + draws / 2::DOUBLE) / nullif(n, 0) AS score,
		(first_wins + draws / 4::DOUBLE) / nullif(n, 0) - score * score AS variance,
		{{.Players.Widest "1" "effect" "player_sizes" "nullif(n - 1, 0)::DOUBLE" "times" "t"}},
		share_low(score, variance * times / nullif(n - 1, 0), t, n) AS low, share_high(score, variance * times / nullif(n - 1, 0), t, n) AS high
	FROM tally_facts{{if .Players.On}} k LEFT JOIN player_facts f ON f.number = k.number AND f.section = k.section AND f.item = k.item AND f.value IS NOT DISTINCT FROM k.value{{end}}
), difference_sums AS MATERIALIZED (
	SELECT number, difference AS d, count(*) AS n,
		sum(CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END)::DOUBLE AS s,
		sum(CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.25 ELSE 0 END)::DOUBLE AS ss
	FROM game_rows WHERE difference IS NOT NULL AND result IS NOT NULL GROUP BY number, difference
), newton_steps AS (
	-- the advantage at which the expected points are those that were made
	SELECT DISTINCT number, 0 AS step, 0::DOUBLE AS advantage FROM difference_sums
	UNION ALL
	SELECT number, step + 1, greatest(-2000, least(2000, advantage + greatest(-200, least(200,
			sum(s - n * elo_expectation(d + advantage, 0) ORDER BY d) /
			(sum(n * elo_expectation(d + advantage, 0) * (1 - elo_expectation(d + advantage, 0)) ORDER BY d) * ln(10::DOUBLE) / 400)))))
	FROM newton_steps JOIN difference_sums USING (number) WHERE step < 30 GROUP BY number, step, advantage
), advantage_facts AS (
	SELECT number, advantage, sum(n) AS games,
		sqrt(sum(ss - 2 * s * elo_expectation(d + advantage, 0) + n * pow(elo_expectation(d + advantage, 0), 2) ORDER BY d)) /
			(sum(n * elo_expectation(d + advantage, 0) * (1 - elo_expectation(d + advantage, 0)) ORDER BY d) * ln(10::DOUBLE) / 400) AS se
	FROM newton_steps JOIN difference_sums USING (number) WHERE step = 30 GROUP BY number, advantage
), {{if .Players.On}}advantage_players AS (
	-- of a player's games the points above the expectation, divided by one less the player's share of the information
	SELECT number, sum((factor * pow(beyond / (1 - least(0.99, part / whole)) / whole, 2))::DECIMAL(38, 24))::DOUBLE / pow(ln(10::DOUBLE) / 400, 2) AS player_variance,
		{{.Players.Sizes "part" "whole"}} AS player_sizes
	FROM (SELECT g.number, cluster, factor, sum((CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END - elo_expectation(difference + advantage, 0))::DECIMAL(18, 12))::DOUBLE AS beyond,
			sum((elo_expectation(difference + advantage, 0) * (1 - elo_expectation(difference + advantage, 0)))::DECIMAL(18, 12))::DOUBLE AS part
		FROM game_rows g JOIN advantage_facts USING (number) JOIN clusters ON contest = g.number AND clusters.game_id = g.game_id
		WHERE difference IS NOT NULL AND result IS NOT NULL GROUP BY ALL) c
		JOIN (SELECT number, sum(n * elo_expectation(d + advantage, 0) * (1 - elo_expectation(d + advantage, 0)) ORDER BY d) AS whole
			FROM difference_sums JOIN advantage_facts USING (number) GROUP BY number) USING (number)
	GROUP BY number
), {{end}}expected_by_bin AS (
	SELECT number, eval_bin(d, {{.Bin}}) AS value, sum(n * elo_expectation(d + advantage, 0) ORDER BY d) / sum(n) AS expected_first
	FROM difference_sums JOIN advantage_facts USING (number) GROUP BY number, eval_bin(d, {{.Bin}})
), line_rows AS MATERIALIZED (
	SELECT number, source, line, who, any_value(ply_count) AS ply_count, count(*) AS n FROM game_rows GROUP BY number, source, line, who
), copy_facts AS (
	SELECT number, source, 'same moves' AS item, 0 AS place, sum(n - 1) AS games, count(*) AS groups
	FROM (SELECT number, source, line, sum(n) AS n FROM line_rows GROUP BY number, source, line HAVING sum(n) > 1) GROUP BY number, source
	UNION ALL
	SELECT number, source, 'same moves, at least 20 plies', 1, sum(n - 1), count(*)
	FROM (SELECT number, source, line, sum(n) AS n FROM line_rows WHERE ply_count >= 20 GROUP BY number, source, line HAVING sum(n) > 1) GROUP BY number, source
	UNION ALL
	SELECT number, source, 'same moves, players and date', 2, sum(n - 1), count(*) FROM line_rows WHERE n > 1 GROUP BY number, source
)
{{- if .Positions}}, decision_rows AS (
{{- range $i, $p := .Positions}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{.Quoted}} AS source, {{$i}} AS number, game_id, ply, legal_moves, {{if .Dedup}}occurrences{{else}}1{{end}} AS weight, {{if .Phase}}phase{{else}}NULL::SMALLINT{{end}} AS phase
	FROM {{.View}} WHERE move IS NOT NULL{{end}}
), phase_bands AS (
	SELECT number, min(phase) AS least, greatest(1, ceil((max(phase) - min(phase) + 1) / 5::DOUBLE)) AS width FROM decision_rows GROUP BY number
), branching_facts AS (
	SELECT number, source, 'branching' AS section, 'all' AS item, NULL::DOUBLE AS value, sum(weight) AS positions, count(DISTINCT game_id) AS games,
		sum(weight * legal_moves) / sum(weight)::DOUBLE AS mean, quantile_cont(legal_moves, [0.1, 0.5, 0.9]) AS deciles, sum(weight * ply) / sum(weight)::DOUBLE AS mean_ply
	FROM decision_rows GROUP BY number, source
	UNION ALL
	SELECT number, source, 'phase', any_value((least + band * width)::INTEGER || '–' || (least + (band + 1) * width - 1)::INTEGER), any_value(least + band * width), sum(weight), count(DISTINCT game_id),
		sum(weight * legal_moves) / sum(weight)::DOUBLE, quantile_cont(legal_moves, [0.1, 0.5, 0.9]), sum(weight * ply) / sum(weight)::DOUBLE
	FROM (SELECT *, floor((phase - least) / width) AS band FROM decision_rows JOIN phase_bands USING (number) WHERE phase IS NOT NULL)
	GROUP BY number, source, band
	UNION ALL
	SELECT number, source, 'ply', 'ply', ply, sum(weight), count(DISTINCT game_id),
		sum(weight * legal_moves) / sum(weight)::DOUBLE, quantile_cont(legal_moves, [0.1, 0.5, 0.9]), ply
	FROM decision_rows GROUP BY number, source, ply
){{end}}, all_facts AS (
	SELECT number, source, section, item, place, value, games, first_wins, draws, second_wins, games - n AS unfinished, score, low, high, expected, expected_first,
		plies, NULL::BIGINT AS positions, NULL::BIGINT AS groups, mean, deciles, first_date, last_date
	FROM score_facts LEFT JOIN expected_by_bin USING (number, value)
	UNION ALL BY NAME
	SELECT number, source, 'first-move advantage' AS section, 'by score' AS item, 0 AS place, n AS games, score,
		-400 * log10(1 / nullif(score, 0) - 1) AS value, -400 * log10(1 / nullif(low, 0) - 1) AS low, -400 * log10(1 / nullif(high, 0) - 1) AS high
	FROM score_facts WHERE section = 'games' AND item = if(number IN (SELECT number FROM handicapped), 'without handicap', 'all') AND score > 0 AND score < 1
	UNION ALL BY NAME
	SELECT number, source, 'first-move advantage' AS section, 'given the ratings' AS item, 1 AS place, games::BIGINT AS games,
		advantage AS value, advantage - t * sqrt(variance) AS low, advantage + t * sqrt(variance) AS high
	FROM (SELECT *, {{.Players.Widest "se * se" "player_variance" "player_sizes" "'Infinity'::DOUBLE" "variance" "t"}} FROM advantage_facts{{if .Players.On}} LEFT JOIN advantage_players USING (number){{end}}) JOIN (SELECT DISTINCT number, source FROM game_rows) USING (number) WHERE abs(advantage) < 2000
	UNION ALL BY NAME
	SELECT number, source, 'duplicates' AS section, item, place, games::BIGINT AS games, groups FROM copy_facts
{{- if .Positions}}
	UNION ALL BY NAME
	SELECT number, source, section, item, mean_ply AS place, value, games, positions::BIGINT AS positions, mean, deciles FROM branching_facts{{end}}
{{- range .Counts}}
	UNION ALL BY NAME
	SELECT {{.Number}} AS number, {{.Source}} AS source, {{.Section}} AS section, {{.Item}} AS item, {{.Place}} AS place, {{.Games}}::BIGINT AS games{{end}}
{{- range .Literature}}
	UNION ALL BY NAME
	SELECT {{.Number}} AS number, {{.Source}} AS source, 'literature' AS section, {{.Game}} AS item, 0 AS place, {{.Branching}}::DOUBLE AS mean, {{.Plies}}::BIGINT AS plies{{end}}
), section_order(section, section_place) AS (
	VALUES ('games', 0), ('first-move advantage', 1), ('rating difference', 2), ('length', 3), ('duplicates', 4), ('rejected', 5), ('noted', 6), ('branching', 7), ('phase', 8), ('ply', 9), ('literature', 10)
)
SELECT source, section, item, value, games, first_wins, draws, second_wins, unfinished, score, low, high, expected,
	CASE WHEN section = 'rating difference' THEN expected_first END AS expected_first,
	plies, positions, groups, mean, deciles[1] AS decile_1, deciles[2] AS median, deciles[3] AS decile_9, first_date, last_date
FROM all_facts JOIN section_order USING (section)
ORDER BY section_place, number, place, value, item
