{{- /* data: querySQL in player.go */ -}}
/* The facts about a player in the games: one row per fact, in sections. To run it: kifu query, with the
   datasets named as in FROM. Columns that a section does not use are null.

   record, year, opponents, opening   score by side, year, opponents' rating (bands of 100), and opening
               with either side. above: score minus Elo's expectation, in games with both ratings. A game
               of the player against itself has one winner and one loser, so it does not count in the
               scores of both sides together
   length      plies of games by result; estimate: mean
   time        by tens of moves, in the most frequent time control. estimate: seconds per move of the
               player, reference: of the opponents in the same games. First moves are left out
   loss        by phase. estimate: mean loss of value per move of the player, reference: of others of
               similar rating (within {{.Like}}; of all others if ratings are missing), stronger: of players of a
               higher rating. game_id and ply: the costliest move
   recorded    without labels: the same by tens of moves, from the values in the records
   lost moves, lost opening, lost clock, lost motif    the same by tens of moves (with labels that have
               phases), opening, time left and motif of the reply, from labels or, without labels, from the
               values in the records
   see         games worth seeing, with the reason as item

   low and high are 95 % intervals. A score has Wilson's, with a draw as half a win, for the number of
   decided games with the same variance: by game or, if results depend on the opponent, by opponent.
   above has the score's, minus the expectation. A mean of time or value has Student's, with the error
   clustered by opponent, on the scale of its logarithm, so that no limit is below 0. A difference of values combines
   the limits of both means (Zou and Donner 2008); a difference of times has Student's. A loss is the fall of the
   value by a move, 0 if it rises. Values beyond the {{.Cap}} quantile of their size count as the quantile. Sums are
   ordered, so they round the same on any number of threads. */
WITH named(name) AS (
	VALUES {{range $i, $n := .Names}}{{if $i}}, {{end}}({{$n}}){{end}}
){{if .Against}}, rival(name) AS (
	VALUES {{range $i, $n := .Against}}{{if $i}}, {{end}}({{$n}}){{end}}
){{end}}, played AS MATERIALIZED (
	SELECT game_id, date, opening, ply_count, side, spelling, coalesce(nullif(opponent, ''), 'game ' || game_id) AS opponent, own, other, points, base_ms, increment_ms,
		coalesce(opponent IN (SELECT name FROM named), false) AS itself, CASE WHEN own IS NOT NULL AND other IS NOT NULL AND points IS NOT NULL THEN points - elo_expectation(own, other) END AS above, elo_expectation(own, other) * elo_expectation(other, own) AS chance
	FROM (
		SELECT game_id, date, opening, ply_count, 'first' AS side, first_player AS spelling, second_player AS opponent, first_elo::INTEGER AS own, second_elo::INTEGER AS other,
			CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 WHEN 'second' THEN 0 END::DOUBLE AS points, base_ms, increment_ms
		FROM {{.Games}} WHERE first_player IN (SELECT name FROM named){{if .Against}} AND second_player IN (SELECT name FROM rival){{end}}
		UNION ALL
		SELECT game_id, date, opening, ply_count, 'second', second_player, first_player, second_elo::INTEGER, first_elo::INTEGER,
			CASE result WHEN 'second' THEN 1 WHEN 'draw' THEN 0.5 WHEN 'first' THEN 0 END::DOUBLE, base_ms, increment_ms
		FROM {{.Games}} WHERE second_player IN (SELECT name FROM named){{if .Against}} AND first_player IN (SELECT name FROM rival){{end}}
	)
), against_others AS (
	SELECT * REPLACE (CASE WHEN NOT itself THEN points END AS points, CASE WHEN NOT itself THEN above END AS above) FROM played
), keyed AS (
	SELECT 'record' AS section, 0 AS place, 'both' AS item, * FROM against_others
	UNION ALL SELECT 'record', if(side = 'first', 1, 2), side, * FROM played
	UNION ALL SELECT 'year', date[1:4]::INTEGER, date[1:4], * FROM against_others WHERE date IS NOT NULL
	UNION ALL SELECT 'opponents', coalesce(-(other // 100), 0), coalesce((other // 100 * 100) || ' to ' || (other // 100 * 100 + 99), 'unrated'), * FROM against_others
	UNION ALL SELECT 'opening ' || side, 0, opening, * FROM played WHERE opening <> ''
), by_opponent AS (
	SELECT section, place, item, opponent, count(*) AS games, count(points) AS n, count(*) FILTER (points = 1) AS won, count(*) FILTER (points = 0.5) AS drawn, count(*) FILTER (points = 0) AS lost,
		coalesce(sum(points), 0) AS s, count(above) AS rated, coalesce(sum(above ORDER BY above), 0) AS a, coalesce(sum(above * above ORDER BY above), 0) AS aa, coalesce(sum(chance ORDER BY chance) FILTER (above IS NOT NULL), 0) AS chance,
		sum(points) FILTER (above IS NOT NULL) AS rated_points, sum(ply_count) AS plies, min(date) AS first_date, max(date) AS last_date, sum(own) FILTER (above IS NOT NULL) AS own, sum(other) AS other, count(other) AS others
	FROM keyed GROUP BY section, place, item, opponent
), summed AS (
	SELECT section, place, item, sum(games)::BIGINT AS games, sum(won)::BIGINT AS won, sum(drawn)::BIGINT AS drawn, sum(lost)::BIGINT AS lost, sum(n)::BIGINT AS n, sum(rated)::BIGINT AS rated,
		count(*) FILTER (n > 0) AS opponents, count(*) FILTER (rated > 0) AS rated_opponents,
		sum(s) / nullif(sum(n), 0) AS score, sum(a ORDER BY opponent) / nullif(sum(rated), 0) AS above, sum(rated_points) / nullif(sum(rated), 0) AS rated_score,
		sum(aa ORDER BY opponent) AS aa, sum(chance ORDER BY opponent) AS chance,
		sum(plies) / sum(games)::DOUBLE AS plies, sum(own) / nullif(sum(rated), 0) AS own, sum(other) / nullif(sum(others), 0) AS other, min(first_date) AS first_date, max(last_date) AS last_date
	FROM by_opponent GROUP BY section, place, item
), varied AS (
	-- how much the player's results vary, compared with wins and losses at the expected rate: games of which
	-- all are won vary no less than that
	SELECT (greatest(0, aa - rated * coalesce(above, 0) ** 2) + 1) / (chance + 1) AS ratio FROM summed WHERE section = 'record' AND item = 'both'
), shares AS (
	SELECT section, place, item, opponent, b.n / k.n::DOUBLE AS share, b.rated / nullif(k.rated, 0)::DOUBLE AS rated_share, b.s - k.score * b.n AS score_rest, b.a - k.above * b.rated AS above_rest, k.n AS all_n, k.rated AS all_rated
	FROM by_opponent b JOIN summed k USING (section, place, item)
), moved AS (
	-- by opponent: squares of what score and above would move by without one, and sums of powers of the opponents' shares
	SELECT section, place, item,
		sum(pow(score_rest / (1 - least(0.99, share)) / all_n, 2) ORDER BY opponent) AS score_squares,
		sum(pow(above_rest / (1 - least(0.99, rated_share)) / all_rated, 2) ORDER BY opponent) AS above_squares,
		[sum(share ORDER BY opponent), sum(pow(share, 2) ORDER BY opponent), sum(pow(share, 3) ORDER BY opponent), sum(pow(share, 4) ORDER BY opponent)] AS powers,
		[sum(rated_share ORDER BY opponent), sum(pow(rated_share, 2) ORDER BY opponent), sum(pow(rated_share, 3) ORDER BY opponent), sum(pow(rated_share, 4) ORDER BY opponent)] AS rated_powers
	FROM shares GROUP BY section, place, item
), scored AS (
	SELECT *, ((won + drawn / 4::DOUBLE) / n - score * score) / nullif(n - 1, 0) AS alone, student_t(nullif(n - 1, 0)::DOUBLE) AS games_t, score_squares * (opponents - 1) / opponents AS clustered,
		student_t(player_degrees(clustered / nullif(alone, 0), powers[1], powers[2], powers[3], powers[4])) AS opponents_t,
		coalesce(opponents >= {{.Clusters}} AND clustered > 1e-12 AND clustered * pow(opponents_t, 2) > alone * pow(games_t, 2), false) AS by_opponents,
		if(by_opponents, clustered, alone) AS variance, if(by_opponents, opponents_t, games_t) AS score_t,
		greatest(greatest(0, aa - rated * above * above) / nullif(rated - 1, 0), ratio * chance / rated) / nullif(rated, 0) AS above_alone, above_squares * (rated_opponents - 1) / rated_opponents AS above_clustered,
		student_t(nullif(rated - 1, 0)::DOUBLE) AS alone_t, student_t(player_degrees(above_clustered / nullif(above_alone, 0), rated_powers[1], rated_powers[2], rated_powers[3], rated_powers[4])) AS above_t,
		coalesce(rated_opponents >= {{.Clusters}} AND above_clustered * pow(above_t, 2) > above_alone * pow(alone_t, 2), false) AS above_by_opponents,
		-- games that would vary as much; a half of one won and of one lost keep a score of all or nothing inside
		(rated_score * rated + 0.5) / (rated + 1) AS inside, inside * (1 - inside) / if(above_by_opponents, above_clustered, above_alone) AS rated_independent, coalesce(if(above_by_opponents, above_t, alone_t), 1.959963984540054e0) AS t
	FROM summed JOIN moved USING (section, place, item), varied
), lengths AS (
	SELECT 'length' AS section, place, item, count(*) AS games, avg(ply_count) AS estimate, quantile_cont(ply_count, [0.1, 0.5, 0.9]) AS deciles
	FROM (SELECT *, unnest([{'place': 0, 'item': 'all'}, {'place': 1 + (2 * (1 - points))::INTEGER, 'item': CASE points WHEN 1 THEN 'won' WHEN 0.5 THEN 'drawn' WHEN 0 THEN 'lost' ELSE 'no result' END}], recursive := true) FROM played)
	GROUP BY place, item
){{if or .Labels .Evals}}, level AS (
	SELECT avg(own) AS rating FROM played
), movers AS MATERIALIZED (
	-- the games whose moves are compared: the player's, and a sample of games by others of like rating
	SELECT game_id, side = 'first' AS first, true AS own, opponent AS cluster, false AS stronger FROM played
	UNION ALL
	SELECT game_id, first, false, coalesce(nullif(player, ''), 'game ' || game_id), coalesce(elo > level.rating + {{.Like}}, false) AS stronger FROM (
		SELECT game_id, true AS first, first_player AS player, first_elo::INTEGER AS elo FROM {{.Games}} UNION ALL SELECT game_id, false, second_player, second_elo::INTEGER FROM {{.Games}}
	), level WHERE (player IS NULL OR player NOT IN (SELECT name FROM named)) AND (level.rating IS NULL OR elo >= level.rating - {{.Like}}){{if .Labels}} AND game_id IN (SELECT game_id FROM {{.Labels}}){{end}}
	QUALIFY row_number() OVER (PARTITION BY stronger ORDER BY (game_id % 4294967296)::UBIGINT * 2654435761 % 4294967296, game_id, first) <= {{.Others}}
){{if .Labels}}, label_rows AS MATERIALIZED (
	SELECT game_id, ply, first_to_move, clock_ms, {{if .Phase}}phase, {{end}}{{.Value}}::DOUBLE AS value,
		lead({{.Value}}::DOUBLE) OVER (PARTITION BY game_id ORDER BY ply) AS next_value, lead(ply) OVER (PARTITION BY game_id ORDER BY ply) AS next_ply
	FROM {{.Labels}} WHERE game_id IN (SELECT game_id FROM movers)
), label_cap AS (
	SELECT quantile_cont(abs(value), {{.Cap}}) AS cap FROM label_rows WHERE abs(value) <= {{decided}}
){{if .Phase}}, width AS (
	-- of the bands of the phase: the least round one that makes at most seven
	SELECT min(w) AS w
	FROM (SELECT unnest([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]) AS w), (SELECT min(phase) AS low, max(phase) AS high FROM label_rows)
	WHERE high // w - low // w < 7
){{end}}{{else}}, eval_cap AS (
	SELECT quantile_cont(abs(v), {{.Cap}}) AS cap FROM (SELECT unnest(evals)::DOUBLE AS v FROM {{.Games}} WHERE evals IS NOT NULL AND game_id IN (SELECT game_id FROM movers)) WHERE abs(v) <= {{decided}}
){{end}}, losses AS MATERIALIZED (
	{{- if .Labels}}
	SELECT 'loss' AS section, {{if .Phase}}phase // w * w{{else}}ply // 20 * 20{{end}} AS band, {{if .Phase}}phase // w * w + w - 1{{else}}ply // 20 * 20 + 19{{end}} AS band_end, m.cluster, m.game_id, v.ply, m.own, m.stronger, v.clock_ms,
		greatest(0, if(v.first_to_move, 1, -1) * (least(cap, greatest(-cap, v.value)) - least(cap, greatest(-cap, v.next_value)))) AS x
	FROM label_rows v JOIN movers m ON m.game_id = v.game_id AND m.first = v.first_to_move, label_cap{{if .Phase}}, width{{end}}
	WHERE v.next_ply = v.ply + 1
	{{- else}}
	SELECT 'recorded' AS section, move_stretch(ply - 1) AS band, NULL AS band_end, cluster, game_id, ply - 1 AS ply, own, stronger, clock_ms,
		greatest(0, if(first, 1, -1) * (least(cap, greatest(-cap, before)) - least(cap, greatest(-cap, after)))) AS x
	FROM (SELECT m.*, second_begins(g.variant, g.start_position, '{{.SecondMark}}') AS second_begins, generate_subscripts(g.evals, 1) AS ply, g.evals[greatest(1, ply - 1)] AS before, g.evals[ply] AS after, g.clocks_ms[greatest(ply - 2, 0)] AS clock_ms
		FROM movers m JOIN {{.Games}} g USING (game_id) WHERE g.evals IS NOT NULL), eval_cap
	WHERE ply > 1 AND ((ply % 2 = 1) <> second_begins) = first AND before IS NOT NULL AND after IS NOT NULL
	{{- end}}
), kinds AS MATERIALIZED (
	SELECT section, band, band_end, '' AS name, cluster, game_id, ply, own, stronger, x FROM losses
	UNION ALL
	{{- if .Phase}}
	SELECT 'lost moves', move_stretch(ply), NULL, '', cluster, game_id, ply, own, stronger, x FROM losses
	UNION ALL
	{{- end}}
	SELECT 'lost opening', 0, NULL, opening, cluster, game_id, ply, own, stronger, x FROM losses JOIN (SELECT game_id, opening FROM {{.Games}}) USING (game_id) WHERE section = '{{.Lost}}' AND opening IN (SELECT opening FROM played WHERE opening <> '')
	UNION ALL
	SELECT 'lost clock', {{range $i, $c := .Bands}}{{if $i}} + {{end}}(clock_ms < {{$c.From}}000)::BIGINT{{end}} AS clock, NULL, CASE{{range .Bands}} WHEN clock_ms >= {{.From}}000 THEN '{{.Name}}'{{end}} END, cluster, game_id, ply, own, stronger, x FROM losses WHERE section = '{{.Lost}}' AND clock_ms >= 0
	{{- if .Motifs}}
	UNION ALL
	SELECT 'lost motif', 0, NULL, motif, cluster, l.game_id, l.ply, own, stronger, x FROM losses l JOIN (
		SELECT game_id, ply - 1 AS ply, unnest(list_filter([{{range $i, $n := .MotifNames}}{{if $i}}, {{end}}if({{$n}}, '{{$n}}', NULL){{end}}], m -> m IS NOT NULL)) AS motif FROM {{.Motifs}}) m ON m.game_id = l.game_id AND m.ply = l.ply WHERE section = '{{.Lost}}'
	{{- end}}
), stronger AS (
	SELECT section, band, name, (sum(x::DECIMAL(18, 6)) FILTER (stronger))::DOUBLE / count(*) FILTER (stronger) AS stronger, arg_max((game_id, ply), (x, -game_id, -ply)) FILTER (own AND x > 0) AS dearest, quantile_disc(move_number(ply, {{.Pairs}}), [0.1, 0.9]) FILTER (own) AS numbers FROM kinds GROUP BY section, band, name
){{end}}, changes AS MATERIALIZED (
	-- what a move cost: seconds or value; own moves of the player have own, others are set next to them
{{- if .Clocks}}
	SELECT 'time' AS section, move_stretch(ply - 1) AS band, NULL::BIGINT AS band_end, '' AS name, opponent AS cluster, game_id, ply, ((ply % 2 = 1) <> second_begins) = (side = 'first') AS own, used / 1000.0::DOUBLE AS x, {{.ControlText}} AS control
	FROM (
		SELECT game_id, opponent, side, ply, second_begins, (clocks_ms[greatest(1, ply - 2)] - clocks_ms[ply] + increment_ms)::DOUBLE AS used
		FROM (SELECT p.*, c.clocks_ms, second_begins(c.variant, c.start_position, '{{.SecondMark}}') AS second_begins, generate_subscripts(c.clocks_ms, 1) AS ply FROM played p JOIN {{.Games}} c USING (game_id)
			WHERE p.base_ms = {{.Base}} AND p.increment_ms = {{.Increment}} AND list_min(c.clocks_ms) < list_max(c.clocks_ms))
	) WHERE ply > 2 AND used >= 0
{{- else}}
	SELECT NULL::VARCHAR AS section, NULL::BIGINT AS band, NULL::BIGINT AS band_end, NULL::VARCHAR AS name, NULL::VARCHAR AS cluster, NULL::BIGINT AS game_id, NULL::BIGINT AS ply, NULL::BOOLEAN AS own, NULL::DOUBLE AS x, NULL::VARCHAR AS control WHERE false
{{- end}}
{{- if or .Labels .Evals}}
	UNION ALL
	SELECT section, band, band_end, name, cluster, game_id, ply, own, x, NULL FROM kinds WHERE NOT stronger
{{- end}}
), clusters AS MATERIALIZED (
	-- time is compared in the same games, so that both sides are of one cluster
	SELECT section, band, band_end, name, own, cluster, any_value(control) AS control, count(*) AS n, sum(x::DECIMAL(18, 6))::DOUBLE AS s FROM changes GROUP BY section, band, band_end, name, own, cluster
), means AS (
	SELECT section, band, band_end, name, any_value(control) AS control, sum(n) FILTER (own) AS n, sum(s ORDER BY cluster) FILTER (own) / sum(n) FILTER (own) AS estimate,
		sum(n) FILTER (NOT own) AS reference_n, sum(s ORDER BY cluster) FILTER (NOT own) / sum(n) FILTER (NOT own) AS reference
	FROM clusters GROUP BY section, band, band_end, name
), residuals AS (
	-- of a cluster, divided by one less its share of the moves: what the mean would move by without it
	SELECT c.section, c.band, c.name, c.cluster, section = 'time' OR own AS together, sum(c.n) FILTER (own) AS n,
		sum(if(own, (s - c.n * estimate) / m.n / (1 - least(0.99, c.n / m.n)), 0)) AS e,
		sum(if(own, (s - c.n * estimate) / m.n / (1 - least(0.99, c.n / m.n)), -(s - c.n * reference) / reference_n / (1 - least(0.99, c.n / reference_n)))) AS d
	FROM clusters c JOIN means m USING (section, band, name) WHERE m.n IS NOT NULL GROUP BY c.section, c.band, c.name, c.cluster, together
), errors AS (
	SELECT section, band, name, count(*) FILTER (together) AS g, count(*) FILTER (NOT together) AS others,
		sqrt(sum(e * e ORDER BY cluster) FILTER (together) * nullif(g - 1, 0) / g) AS se,
		coalesce(sum(d * d ORDER BY cluster) FILTER (NOT together) * (others - 1) / others, 0) AS others_variance,
		sqrt(sum(d * d ORDER BY cluster) FILTER (together) * nullif(g - 1, 0) / g + others_variance) AS difference_se,
		-- degrees of freedom: the number of clusters of equal size with as much information, less one
		nullif(greatest(0, sum(n) * sum(n) / sum(n * n) - 1), 0)::DOUBLE AS df, student_t(df) AS t
	FROM residuals GROUP BY section, band, name
), limits AS (
	-- of the mean on the scale of its logarithm; of a difference of independent means by their limits (Zou and Donner 2008)
	SELECT *, estimate - reference AS difference, exp(t * se / nullif(estimate, 0)) AS ratio, exp(t * sqrt(others_variance) / nullif(reference, 0)) AS reference_ratio,
		if(section = 'time', t * difference_se, sqrt(pow(estimate - estimate / ratio, 2) + pow(coalesce(reference * reference_ratio - reference, 0), 2))) AS down,
		if(section = 'time', t * difference_se, sqrt(pow(estimate * ratio - estimate, 2) + pow(coalesce(reference - reference / reference_ratio, 0), 2))) AS up
	FROM means JOIN errors USING (section, band, name)
), seen AS (
	SELECT * FROM (
		SELECT 0 AS place, 'beat the odds' AS item, p.*, row_number() OVER (ORDER BY above DESC, game_id) AS r FROM played p WHERE points = 1 AND above > 0.5
		UNION ALL SELECT 1, 'lost against the odds', p.*, row_number() OVER (ORDER BY above, game_id) FROM played p WHERE points = 0 AND above < -0.5
		UNION ALL SELECT 2, 'short win', p.*, row_number() OVER (ORDER BY ply_count, game_id) FROM played p WHERE points = 1 AND ply_count >= 10
		UNION ALL SELECT 3, 'longest', p.*, row_number() OVER (ORDER BY ply_count DESC, game_id) FROM played p
{{- if .Labels}}
		UNION ALL SELECT 4, 'least lost by a move', p.* EXCLUDE (n, x), row_number() OVER (ORDER BY x, game_id) FROM (
			SELECT p.*, n, x FROM played p JOIN (SELECT game_id, count(*) AS n, avg(x ORDER BY ply) AS x FROM losses WHERE own AND section = 'loss' GROUP BY game_id) USING (game_id)) p WHERE points = 1 AND n >= 15
		UNION ALL SELECT 5, 'turned around', p.* EXCLUDE (x), row_number() OVER (ORDER BY x, game_id) FROM (
			SELECT p.*, x FROM played p JOIN (SELECT game_id, side, min(if(side = 'first', value, -value)) AS x FROM label_rows JOIN played USING (game_id) WHERE abs(value) <= {{decided}} GROUP BY game_id, side) USING (game_id, side)) p WHERE points = 1 AND x < 0
{{- end}}
	) WHERE r <= 3
), facts AS (
	SELECT section, place, item, NULL::BIGINT AS game_id, NULL::VARCHAR AS opponent, games, won, drawn, lost, opponents, score, share_low(score, variance, score_t, n) AS low, share_high(score, variance, score_t, n) AS high,
		rated, CASE WHEN rated >= {{.Rated}} THEN rated_score - above END AS expected, CASE WHEN rated >= {{.Rated}} THEN above END AS above,
		CASE WHEN rated >= {{.Rated}} THEN above - rated_score + wilson_low(rated_score * rated_independent, rated_independent, z := t) END AS above_low, CASE WHEN rated >= {{.Rated}} THEN above - rated_score + wilson_high(rated_score * rated_independent, rated_independent, z := t) END AS above_high,
		own, other, plies AS estimate, NULL::DOUBLE AS decile_1, NULL::DOUBLE AS median, NULL::DOUBLE AS decile_9, NULL::DOUBLE AS reference, NULL::DOUBLE AS difference, NULL::DOUBLE AS difference_low, NULL::DOUBLE AS difference_high, NULL::BIGINT AS moves, first_date, last_date, NULL::DOUBLE AS stronger, NULL::BIGINT AS ply
	FROM scored
	UNION ALL
	SELECT section, place, item, NULL, NULL, games, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, estimate, deciles[1], deciles[2], deciles[3], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM lengths
	UNION ALL
	SELECT m.section, m.band, CASE WHEN m.name <> '' THEN m.name WHEN m.section = 'loss' THEN if(m.band = m.band_end, m.band::VARCHAR, m.band || ' to ' || m.band_end){{if or .Labels .Evals}} || ' (moves ' || numbers[1] || ' to ' || numbers[2] || ')'{{end}} ELSE stretch_name(m.band, {{.Pairs}}) END,
		{{if or .Labels .Evals}}dearest[1]{{else}}NULL{{end}}, m.control, NULL, NULL, NULL, NULL, g, NULL, CASE WHEN g >= {{.Clusters}} THEN estimate / ratio END, CASE WHEN g >= {{.Clusters}} THEN estimate * ratio END, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
		estimate, NULL, NULL, NULL, reference, difference, CASE WHEN g >= {{.Clusters}} THEN difference - down END, CASE WHEN g >= {{.Clusters}} THEN difference + up END, m.n::BIGINT, NULL, NULL, {{if or .Labels .Evals}}stronger, dearest[2]{{else}}NULL, NULL{{end}}
	FROM limits m{{if or .Labels .Evals}} LEFT JOIN stronger USING (section, band, name){{end}}
	UNION ALL
	SELECT 'see', 10 * place + r, item, game_id, opponent, NULL, NULL, NULL, NULL, NULL, points, NULL, NULL, NULL, NULL, above, NULL, NULL, own, other, ply_count, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, date, side, NULL, NULL FROM seen
)
SELECT * FROM facts ORDER BY list_position(['record', 'year', 'opponents', 'opening first', 'opening second', 'length', 'time', 'loss', 'recorded', 'lost moves', 'lost opening', 'lost clock', 'lost motif', 'see'], section), if(section LIKE 'opening%', -games, if(section IN ('lost opening', 'lost motif'), -moves * estimate, 0)), place, item
