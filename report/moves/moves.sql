{{- /* data: querySQL in moves.go */ -}}
/* How often the played move is among the first k of an order of the moves. One row per
   order, group of decisions and k. To run it: kifu query, with the datasets named as in FROM.

   Orders are by value, from the side of the player to move{{if .Counted}}, and by how often a pattern
   was played when it was available, counted in the games that are not held out, with one
   more time at the rate of all moves{{end}}. share is the share of the decisions{{if .Holdout}} of the held-out games{{end}}
   whose played move is among the first k; moves of equal value are in random order.
   chance is the share in a random order: the mean of k / moves. Positions of one game are
   not independent{{if .Clustered.On}}, and neither are games of one player (clusters){{end}}. se is the error of the ratio of the games' sums (linearised).
   low and high are Wilson's 95 % interval for the number of independent decisions with the
   same variance, with Student's t for few games. effective_games is the number of games of
   equal length with as much information. Sums are of whole numbers and decimals, so they
   do not depend on the order of the rows. */
WITH {{if .Found}}decisions AS (
{{- range $i, $v := .Found}}{{if $i}}
	UNION ALL{{end}}
	SELECT * FROM {{$v}}{{end}}
){{else}}{{if .Heads.On}}RECURSIVE {{template "heads" .Heads}}, {{end}}{{template "decisions" .}}{{end}}, cases AS MATERIALIZED (
	SELECT contest, game_id, {{.Phases.First}} + floor((phase - {{.Phases.First}}) / {{.Phases.Width}})::INTEGER * {{.Phases.Width}} AS band, first_to_move, moves, better, equal{{if .Paired}}, first_better, first_equal{{end}}, count(*) AS n
	FROM decisions GROUP BY ALL
){{if .Games}}, players AS (
	SELECT game_id, true AS first_to_move, first_player AS player FROM {{.Games}} UNION ALL SELECT game_id, false, second_player FROM {{.Games}}
), ranks AS MATERIALIZED (
	SELECT player, row_number() OVER (ORDER BY sum(n) DESC, player)::INTEGER AS place
	FROM (SELECT game_id, first_to_move, sum(n) AS n FROM cases WHERE contest = 0 GROUP BY ALL) JOIN players USING (game_id, first_to_move)
	WHERE player IS NOT NULL GROUP BY player ORDER BY place LIMIT {{.Players}}
){{end}}, groups AS (
	SELECT contest, 0 AS kind, 0 AS place, game_id, moves, better, equal, n FROM cases
	UNION ALL
	SELECT contest, 1, band, game_id, moves, better, equal, n FROM cases
	UNION ALL
	SELECT contest, 2, if(first_to_move, 0, 1), game_id, moves, better, equal, n FROM cases
{{- if .Games}}
	UNION ALL
	SELECT contest, 3, place, game_id, moves, better, equal, n FROM cases JOIN (SELECT game_id, first_to_move, place FROM players JOIN ranks USING (player)) USING (game_id, first_to_move)
{{- end}}
), hit AS MATERIALIZED (
	-- how much of a decision's played move is among the first k, hits1 to hits20: in whole numbers, whose sums do not depend on the order
	SELECT better, equal{{range .Tops}}, round(1e12 * {{$.Hit . "better" "equal"}}) AS hits{{.}}{{end}} FROM (SELECT DISTINCT better, equal FROM cases)
), by_game AS MATERIALIZED (
	SELECT contest, kind, place, game_id, sum(n)::BIGINT AS n, sum(n * moves) AS moves, sum(n * COLUMNS('^hits(.*)')) / 1e12 AS 'hits\1'
	FROM groups JOIN hit USING (better, equal) GROUP BY contest, kind, place, game_id
){{if .Clustered.On}}, {{template "clusters" .Clustered}}{{end}}, sums AS MATERIALIZED (
	SELECT contest, kind, place, sum(n)::BIGINT AS decisions, count(*) AS games, sum(COLUMNS('^hits(.*)')::DECIMAL(38, 12))::DOUBLE AS 'w\1', sum((COLUMNS('^hits(.*)') * COLUMNS('^hits(.*)'))::DECIMAL(38, 12))::DOUBLE AS 'ww\1',
		sum((COLUMNS('^hits(.*)') * n)::DECIMAL(38, 12))::DOUBLE AS 'wn\1', sum(n * n)::DOUBLE AS nn, sum(n * n * n)::DOUBLE AS nnn, sum(n::HUGEINT * n * n * n)::DOUBLE AS nnnn, sum(moves)::DOUBLE AS moves
	FROM by_game GROUP BY contest, kind, place
), chances AS (
	SELECT contest, kind, place, k, sum(n * (least(k, moves) / moves)::DECIMAL(18, 12))::DOUBLE AS chance
	FROM (SELECT contest, kind, place, moves, sum(n)::BIGINT AS n FROM groups GROUP BY ALL), (SELECT unnest(range(1, 21)) AS k) GROUP BY contest, kind, place, k
){{if .Clustered.On}}, by_cluster AS (
	SELECT contest, kind, place, cluster, factor, sum(n)::DOUBLE AS n, sum(COLUMNS('^hits(.*)')::DECIMAL(38, 12))::DOUBLE AS 'hits\1'
	FROM by_game JOIN clusters USING (contest, game_id) GROUP BY contest, kind, place, cluster, factor
), by_player AS (
	SELECT contest, kind, place, {{.Clustered.Sizes "n" "decisions"}} AS player_sizes
		{{- range .Tops}},
		{{$.Clustered.ByPlayer (print "hits" .) "n" (print "s.w" . " / decisions") "decisions"}} AS variance{{.}}{{end}}
	FROM by_cluster c JOIN sums s USING (contest, kind, place) GROUP BY contest, kind, place
){{end}}{{if .Paired}}, paired AS MATERIALIZED (
	-- the share less the first order's, in the same decisions
	SELECT contest, game_id, n, unnest(range(1, 21)) AS k, unnest([*COLUMNS('^d\d')]) AS d
	FROM (SELECT contest, game_id, sum(n)::DOUBLE AS n
			{{- range .Tops}},
			sum(n * round(1e12 * ({{$.Hit . "better" "equal"}} - {{$.Hit . "first_better" "first_equal"}}))) / 1e12 AS d{{.}}{{end}}
		FROM cases WHERE first_equal IS NOT NULL AND contest IN ({{range $i, $n := .Paired}}{{if $i}}, {{end}}{{.}}{{end}}) GROUP BY contest, game_id)
), paired_sums AS (
	SELECT contest, k, sum(n) AS decisions, count(*) AS games, sum(d::DECIMAL(38, 12))::DOUBLE / sum(n) AS difference,
		sum(n * n) AS nn, sum(n * n * n) AS nnn, sum(pow(n, 4)::DECIMAL(38, 0))::DOUBLE AS nnnn
	FROM paired GROUP BY ALL
), paired_games AS (
	SELECT contest, k, sum(pow((d - difference * n) / decisions, 2)::DECIMAL(38, 24))::DOUBLE / nullif(any_value(kept_share(decisions, nn, nnn)), 0) AS game_variance
	FROM paired JOIN paired_sums USING (contest, k) GROUP BY ALL
){{if .Clustered.On}}, paired_players AS (
	SELECT contest, k, {{.Clustered.ByPlayer "d" "n" "difference" "decisions"}} AS player_variance, {{.Clustered.Sizes "n" "decisions"}} AS player_sizes
	FROM (SELECT paired.contest, k, cluster, factor, sum(n) AS n, sum(d::DECIMAL(38, 12))::DOUBLE AS d FROM paired JOIN clusters ON clusters.contest = paired.contest AND clusters.game_id = paired.game_id GROUP BY ALL) c
		JOIN paired_sums s USING (contest, k)
	GROUP BY ALL
){{end}}, differences AS (
	SELECT contest, 0 AS kind, k, difference, {{.Clustered.Widest "game_variance" "player_variance" "player_sizes" "cluster_degrees(decisions, nn, nnn, nnnn)" "difference_variance" "difference_t"}}
	FROM paired_sums JOIN paired_games USING (contest, k){{if .Clustered.On}} LEFT JOIN paired_players USING (contest, k){{end}}
){{end}}, variances AS (
	SELECT *, w / decisions AS share,
		greatest(0, ww - 2 * share * wn + share * share * nn) / (decisions::DOUBLE * decisions) / nullif(kept_share(decisions, nn, nnn), 0) AS game_variance,
		cluster_degrees(decisions, nn, nnn, nnnn) AS df,
		{{.Clustered.Widest "game_variance" "player_variance" "player_sizes" "df" "variance" "t"}}
	FROM (SELECT contest, kind, place, unnest(range(1, 21)) AS k, decisions, games, nn, nnn, nnnn, moves, unnest([*COLUMNS('^w\d')]) AS w, unnest([*COLUMNS('^ww\d')]) AS ww, unnest([*COLUMNS('^wn\d')]) AS wn{{if .Clustered.On}}, player_sizes, unnest([*COLUMNS('^variance\d')]) AS player_variance{{end}}
			FROM sums{{if .Clustered.On}} LEFT JOIN by_player USING (contest, kind, place){{end}})
		JOIN chances USING (contest, kind, place, k)
), names(contest, name) AS (
	VALUES {{range $i, $o := .All}}{{if $i}}, {{end}}({{.Index}}, {{.Quoted}}){{end}}
)
SELECT name AS contest, CASE kind WHEN 0 THEN 'all' WHEN 1 THEN 'phase' WHEN 2 THEN 'mover' ELSE 'player' END AS kind,
	CASE kind WHEN 0 THEN 'all' WHEN 1 THEN {{if eq .Phases.Width 1}}format('{}', place){{else}}format('{}-{}', place, place + {{.Phases.Width}} - 1){{end}} WHEN 2 THEN if(place = 0, 'first', 'second'){{if .Games}} ELSE player{{end}} END AS level, k AS top,
	decisions, games, df + 1 AS effective_games, share, sqrt(nullif(variance, 0)) AS se, share_low(share, variance, t, df + 1) AS low, share_high(share, variance, t, df + 1) AS high,
	chance / decisions AS chance, moves / decisions AS moves{{if .Paired}},
	difference, sqrt(difference_variance) AS difference_se, CASE WHEN difference_variance >= 0 THEN greatest(-1, difference - difference_t * difference_se) END AS difference_low, CASE WHEN difference_variance >= 0 THEN least(1, difference + difference_t * difference_se) END AS difference_high{{end}}
FROM variances JOIN names USING (contest){{if .Paired}} LEFT JOIN differences USING (contest, kind, k){{end}}{{if .Games}} LEFT JOIN (SELECT 3 AS kind, * FROM ranks) USING (kind, place){{end}}
ORDER BY names.contest, variances.kind, place, k
