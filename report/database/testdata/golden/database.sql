/* A database of games in numbers: one row per fact, in sections. To run it: kifu query,
   with the datasets named as in FROM. Columns that a section does not use are null.

   games                 all games, those with both ratings, and those without handicap where others have one
   first-move advantage  in Elo: by score alone, and given the ratings
   rating difference     first player's rating minus the second's, in bins of 50
   length                games by plies, in bins of 10
   duplicates            games with the same moves as an earlier game; groups: number of such groups
   branching, phase, ply legal moves in positions where one was played (mean): of all, by phase and by ply
   rejected, noted       games that are not in the dataset, and unusual games in it, from the manifest
   literature            branching factor (mean) and length (plies) in Mańdziuk 2010, section 1.1

   score is the first player's, with a draw as half a win. low and high are Wilson's 95 %
   interval for the number of games with the same variance without draws and,
   if players make games dependent, without players who return (clusters). expected is
   the mean of Elo's expectation; expected_first adds the first-move advantage.
   Ratings and first-move advantage are of games without handicap. Sums of fractions are ordered, so they round the same on any number of threads. */
WITH RECURSIVE game_rows AS (
	SELECT 'games' AS source, 0 AS number, game_id, result, ply_count, has_handicap(variant) AS handicap, CASE WHEN NOT handicap THEN first_elo::INTEGER - second_elo END AS difference, date,
		hash(variant, start_position, moves) AS line, hash(first_player, second_player, date) AS who
	FROM main."games"
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
	SELECT number, source, 'rating difference', 'bin', 0, eval_bin(difference, 50) AS value, count(*),
		count(*) FILTER (result = 'first'), count(*) FILTER (result = 'draw'), count(*) FILTER (result = 'second'),
		sum(ply_count)::BIGINT, avg(ply_count), quantile_cont(ply_count, [0.1, 0.5, 0.9]), avg(elo_expectation(difference, 0) ORDER BY difference), NULL, NULL
	FROM game_rows WHERE difference IS NOT NULL AND result IS NOT NULL GROUP BY number, source, eval_bin(difference, 50)
	UNION ALL
	SELECT number, source, 'length', 'bin', 0, floor(ply_count / 10::DOUBLE) * 10 AS value, count(*),
		count(*) FILTER (result = 'first'), count(*) FILTER (result = 'draw'), count(*) FILTER (result = 'second'),
		sum(ply_count)::BIGINT, avg(ply_count), quantile_cont(ply_count, [0.1, 0.5, 0.9]), NULL, NULL, NULL
	FROM game_rows GROUP BY number, source, floor(ply_count / 10::DOUBLE)
), named_games AS MATERIALIZED (
	-- of each contest the games with both players' names
	SELECT 0 AS contest, game_id, first_player AS one, second_player AS other
	FROM main."games"
	WHERE first_player <> '' AND second_player <> ''
), player_games AS MATERIALIZED (
	-- a player in more than half of the games is no cluster: the opponents are
	SELECT *, n > 0.5 * played AS often
	FROM (SELECT *, (SELECT count(*) FROM named_games g WHERE g.contest = p.contest) AS played
		FROM (SELECT contest, player, count(*) AS n FROM (SELECT contest, unnest(list_distinct([one, other])) AS player FROM named_games) GROUP BY ALL) p)
), enough_players AS (
	-- of few players each is left out in turn (jackknife), and no sums of pairs come off
	SELECT contest, players, effective, effective >= 10 AS paired,
		CASE WHEN paired THEN 1 ELSE (players - 1) / players END::DOUBLE AS factor
	FROM (SELECT contest, count(*) AS players, sum(n) * sum(n) / sum(n * n)::DOUBLE AS effective
		FROM player_games WHERE NOT often GROUP BY contest)
	WHERE players >= 4
), nodes AS (
	SELECT g.contest, game_id, CASE WHEN NOT p.often THEN one END AS one, CASE WHEN NOT q.often AND other <> one THEN other END AS other, paired, factor
	FROM named_games g JOIN enough_players USING (contest)
		JOIN player_games p ON p.contest = g.contest AND p.player = one JOIN player_games q ON q.contest = g.contest AND q.player = other
), clusters AS MATERIALIZED (
	-- games that share a player depend on each other: the sum of the squares of players' sums
	-- counts games of the same two twice, so that sums of pairs are subtracted
	SELECT contest, game_id, hash(one) AS cluster, factor FROM nodes WHERE one IS NOT NULL
	UNION ALL
	SELECT contest, game_id, hash(other), factor FROM nodes WHERE other IS NOT NULL
	UNION ALL
	SELECT contest, game_id, hash(least(one, other), greatest(one, other)), -1 FROM nodes WHERE one IS NOT NULL AND other IS NOT NULL AND paired
	UNION ALL
	SELECT contest, game_id, hash(game_id), 1 FROM nodes WHERE one IS NULL AND other IS NULL
), scored_games AS (
	SELECT number, 'games' AS section, 'all' AS item, NULL::DOUBLE AS value, game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END::DOUBLE AS points
	FROM game_rows WHERE result IS NOT NULL
	UNION ALL
	SELECT number, 'games', 'with both ratings', NULL, game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END FROM game_rows WHERE result IS NOT NULL AND difference IS NOT NULL
	UNION ALL
	SELECT number, 'games', 'without handicap', NULL, game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END FROM game_rows WHERE result IS NOT NULL AND NOT handicap
	UNION ALL
	SELECT number, 'rating difference', 'bin', eval_bin(difference, 50), game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END FROM game_rows WHERE result IS NOT NULL AND difference IS NOT NULL
	UNION ALL
	SELECT number, 'length', 'bin', floor(ply_count / 10::DOUBLE) * 10, game_id, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END FROM game_rows WHERE result IS NOT NULL
), player_facts AS (
	-- as many times as by game the score varies by player
	SELECT number, section, item, c.value AS value, sum((c.factor * pow((c.points - score * c.size) / (1 - least(0.99, c.size / n::DOUBLE)) / n, 2))::DECIMAL(38, 24))::DOUBLE / nullif(any_value(game_variance), 0) AS effect,
		[sum(pow(c.size / n::DOUBLE, 1)::DECIMAL(38, 30)) FILTER (c.factor > 0)::DOUBLE, sum(pow(c.size / n::DOUBLE, 2)::DECIMAL(38, 30)) FILTER (c.factor > 0)::DOUBLE, sum(pow(c.size / n::DOUBLE, 3)::DECIMAL(38, 30)) FILTER (c.factor > 0)::DOUBLE, sum(pow(c.size / n::DOUBLE, 4)::DECIMAL(38, 30)) FILTER (c.factor > 0)::DOUBLE] AS player_sizes
	FROM (SELECT number, section, item, value, cluster, factor, sum(points) AS points, count(*)::DOUBLE AS size
		FROM scored_games JOIN clusters ON contest = number AND clusters.game_id = scored_games.game_id GROUP BY ALL) c
		JOIN (SELECT number, section, item, value, first_wins + draws + second_wins AS n, (first_wins + draws / 2::DOUBLE) / n AS score,
			((first_wins + draws / 4::DOUBLE) / n - score * score) * n / pow(nullif(n - 1, 0), 2) AS game_variance FROM tally_facts WHERE n > 0) s
			USING (number, section, item) WHERE s.value IS NOT DISTINCT FROM c.value
	GROUP BY ALL
), score_facts AS (
	SELECT k.*, first_wins + draws + second_wins AS n, (first_wins + draws / 2::DOUBLE) / nullif(n, 0) AS score,
		(first_wins + draws / 4::DOUBLE) / nullif(n, 0) - score * score AS variance,
		coalesce(effect * pow(student_t(player_degrees(effect / nullif(1, 0), player_sizes[1], player_sizes[2], player_sizes[3], player_sizes[4])), 2) > 1 * pow(student_t(nullif(n - 1, 0)::DOUBLE), 2), false) AS t_by_player, CASE WHEN t_by_player THEN effect ELSE 1 END AS times, CASE WHEN t_by_player THEN student_t(player_degrees(effect / nullif(1, 0), player_sizes[1], player_sizes[2], player_sizes[3], player_sizes[4])) ELSE student_t(nullif(n - 1, 0)::DOUBLE) END AS t,
		share_low(score, variance * times / nullif(n - 1, 0), t, n) AS low, share_high(score, variance * times / nullif(n - 1, 0), t, n) AS high
	FROM tally_facts k LEFT JOIN player_facts f ON f.number = k.number AND f.section = k.section AND f.item = k.item AND f.value IS NOT DISTINCT FROM k.value
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
), advantage_players AS (
	-- of a player's games the points above the expectation, divided by one less the player's share of the information
	SELECT number, sum((factor * pow(beyond / (1 - least(0.99, part / whole)) / whole, 2))::DECIMAL(38, 24))::DOUBLE / pow(ln(10::DOUBLE) / 400, 2) AS player_variance,
		[sum(pow(c.part / whole::DOUBLE, 1)::DECIMAL(38, 30)) FILTER (c.factor > 0)::DOUBLE, sum(pow(c.part / whole::DOUBLE, 2)::DECIMAL(38, 30)) FILTER (c.factor > 0)::DOUBLE, sum(pow(c.part / whole::DOUBLE, 3)::DECIMAL(38, 30)) FILTER (c.factor > 0)::DOUBLE, sum(pow(c.part / whole::DOUBLE, 4)::DECIMAL(38, 30)) FILTER (c.factor > 0)::DOUBLE] AS player_sizes
	FROM (SELECT g.number, cluster, factor, sum((CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 ELSE 0 END - elo_expectation(difference + advantage, 0))::DECIMAL(18, 12))::DOUBLE AS beyond,
			sum((elo_expectation(difference + advantage, 0) * (1 - elo_expectation(difference + advantage, 0)))::DECIMAL(18, 12))::DOUBLE AS part
		FROM game_rows g JOIN advantage_facts USING (number) JOIN clusters ON contest = g.number AND clusters.game_id = g.game_id
		WHERE difference IS NOT NULL AND result IS NOT NULL GROUP BY ALL) c
		JOIN (SELECT number, sum(n * elo_expectation(d + advantage, 0) * (1 - elo_expectation(d + advantage, 0)) ORDER BY d) AS whole
			FROM difference_sums JOIN advantage_facts USING (number) GROUP BY number) USING (number)
	GROUP BY number
), expected_by_bin AS (
	SELECT number, eval_bin(d, 50) AS value, sum(n * elo_expectation(d + advantage, 0) ORDER BY d) / sum(n) AS expected_first
	FROM difference_sums JOIN advantage_facts USING (number) GROUP BY number, eval_bin(d, 50)
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
), decision_rows AS (
	SELECT 'games 2' AS source, 0 AS number, game_id, ply, legal_moves, 1 AS weight, phase AS phase
	FROM main."games 2" WHERE move IS NOT NULL
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
), all_facts AS (
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
	FROM (SELECT *, coalesce(player_variance * pow(student_t(player_degrees(player_variance / nullif(se * se, 0), player_sizes[1], player_sizes[2], player_sizes[3], player_sizes[4])), 2) > se * se * pow(student_t('Infinity'::DOUBLE), 2), false) AS t_by_player, CASE WHEN t_by_player THEN player_variance ELSE se * se END AS variance, CASE WHEN t_by_player THEN student_t(player_degrees(player_variance / nullif(se * se, 0), player_sizes[1], player_sizes[2], player_sizes[3], player_sizes[4])) ELSE student_t('Infinity'::DOUBLE) END AS t FROM advantage_facts LEFT JOIN advantage_players USING (number)) JOIN (SELECT DISTINCT number, source FROM game_rows) USING (number) WHERE abs(advantage) < 2000
	UNION ALL BY NAME
	SELECT number, source, 'duplicates' AS section, item, place, games::BIGINT AS games, groups FROM copy_facts
	UNION ALL BY NAME
	SELECT number, source, section, item, mean_ply AS place, value, games, positions::BIGINT AS positions, mean, deciles FROM branching_facts
	UNION ALL BY NAME
	SELECT 0 AS number, 'games' AS source, 'rejected' AS section, 'it''s odd' AS item, 0 AS place, 9::BIGINT AS games
	UNION ALL BY NAME
	SELECT 0 AS number, 'games' AS source, 'rejected' AS section, 'illegal move' AS item, 1 AS place, 7::BIGINT AS games
	UNION ALL BY NAME
	SELECT 0 AS number, 'games' AS source, 'noted' AS section, 'no result' AS item, 0 AS place, 3::BIGINT AS games
	UNION ALL BY NAME
	SELECT 0 AS number, 'Mańdziuk 2010' AS source, 'literature' AS section, 'chess' AS item, 0 AS place, 35::DOUBLE AS mean, 80::BIGINT AS plies
), section_order(section, section_place) AS (
	VALUES ('games', 0), ('first-move advantage', 1), ('rating difference', 2), ('length', 3), ('duplicates', 4), ('rejected', 5), ('noted', 6), ('branching', 7), ('phase', 8), ('ply', 9), ('literature', 10)
)
SELECT source, section, item, value, games, first_wins, draws, second_wins, unfinished, score, low, high, expected,
	CASE WHEN section = 'rating difference' THEN expected_first END AS expected_first,
	plies, positions, groups, mean, deciles[1] AS decile_1, deciles[2] AS median, deciles[3] AS decile_9, first_date, last_date
FROM all_facts JOIN section_order USING (section)
ORDER BY section_place, number, place, value, item
