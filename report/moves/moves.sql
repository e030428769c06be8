{{- /* data: movesSQL in moves.go */ -}}
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
   equal length with as much information. Sums are of decimals, so they do not depend on
   the order of the rows. */
WITH {{if .Heads.On}}RECURSIVE {{template "heads" .Heads}}, {{end}}{{if and .Holdout .Views}}sides AS MATERIALIZED (
{{- range $i, $v := .Views}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{$i}} AS view, game_id, game_id IN {{template "side" ($.Heads.Held $v)}} AS held FROM (SELECT DISTINCT game_id FROM {{$v}}){{end}}
), {{end}}{{range .Orders}}{{if .Pattern}}{{.Rates}} AS (
	SELECT pattern, (times + overall) / (available + 1) AS rate, overall
	FROM (SELECT *, sum(times) OVER () / sum(available) OVER () AS overall
		FROM (SELECT ({{.Pattern}}
				) AS pattern, count(*) FILTER (played) AS times, count(*) AS available
			FROM {{.View}} WHERE game_id IN (SELECT game_id FROM sides WHERE view = {{.ViewIndex}} AND NOT held)
			GROUP BY pattern))
), {{end}}{{end}}{{if .Orders}}moves AS MATERIALIZED (
{{- range $i, $o := .Orders}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{.Index}} AS contest, game_id, ply, {{.Phase}} AS phase, first_to_move, played, {{if .Pattern}}coalesce(rate, (SELECT any_value(overall) FROM {{.Rates}})){{else}}CASE WHEN first_to_move THEN 1 ELSE -1 END * {{.Value}}::DOUBLE{{end}} AS value
	FROM {{.View}}{{if .Pattern}} LEFT JOIN {{.Rates}} ON pattern IS NOT DISTINCT FROM ({{.Pattern}}
		){{end}}
	{{- if $.Holdout}}
	WHERE game_id IN (SELECT game_id FROM sides WHERE view = {{.ViewIndex}} AND held){{end}}{{end}}
), {{end}}decisions AS MATERIALIZED (
{{- if .Orders}}
	SELECT contest, game_id, ply, m.phase, m.first_to_move, count(*) AS moves, count(*) FILTER (m.value > p.value) AS better, count(*) FILTER (m.value = p.value) AS equal
	FROM moves m JOIN (SELECT contest, game_id, ply, value FROM moves WHERE played) p USING (contest, game_id, ply)
	GROUP BY ALL HAVING count(*) > 1{{end}}
{{- range $i, $o := .Predicted}}{{if or $i $.Orders}}
	UNION ALL{{end}}
	SELECT {{.Index}} AS contest, game_id, ply, phase, first_to_move, legal_moves::BIGINT AS moves, better::BIGINT AS better, equal::BIGINT AS equal FROM {{.View}}{{end}}
){{if .Games}}, players AS (
	SELECT game_id, first_player, second_player FROM {{.Games}}
){{end}}, groups AS (
	SELECT contest, 0 AS kind, 0 AS place, 'all' AS level, game_id, moves, better, equal FROM decisions
	UNION ALL
	SELECT contest, 1, {{.Phases.First}} + floor((phase - {{.Phases.First}}) / {{.Phases.Width}})::INTEGER * {{.Phases.Width}} AS place,
		{{if eq .Phases.Width 1}}format('{}', place){{else}}format('{}-{}', place, place + {{.Phases.Width}} - 1){{end}}, game_id, moves, better, equal FROM decisions
	UNION ALL
	SELECT contest, 2, CASE WHEN first_to_move THEN 0 ELSE 1 END AS place, CASE WHEN first_to_move THEN 'first' ELSE 'second' END, game_id, moves, better, equal FROM decisions
{{- if .Games}}
	UNION ALL
	SELECT contest, 3, place, level, game_id, moves, better, equal
	FROM (SELECT *, CASE WHEN first_to_move THEN first_player ELSE second_player END AS level FROM decisions JOIN players USING (game_id))
		JOIN (SELECT level, row_number() OVER (ORDER BY count(*) DESC, level)::INTEGER AS place
			FROM (SELECT CASE WHEN first_to_move THEN first_player ELSE second_player END AS level FROM decisions JOIN players USING (game_id) WHERE contest = 0)
			WHERE level IS NOT NULL GROUP BY level) USING (level)
	WHERE place <= {{.Players}}
{{- end}}
), by_game AS (
	SELECT contest, kind, place, level, game_id, k, count(*) AS n, sum(greatest(0, least(1, (k - better) / equal))::DECIMAL(18, 12))::DOUBLE AS hits, sum((least(k, moves) / moves)::DECIMAL(18, 12)) AS chance,
		sum(moves) AS moves
	FROM groups, (SELECT unnest(range(1, 21)) AS k) GROUP BY ALL
){{if .Clustered.On}}, {{template "clusters" .Clustered}}{{end}}, sums AS (
	SELECT contest, kind, place, level, k, sum(n)::BIGINT AS decisions, count(*) AS games, sum(hits::DECIMAL(38, 12))::DOUBLE AS w, sum((hits * hits)::DECIMAL(38, 12))::DOUBLE AS ww,
		sum((hits * n)::DECIMAL(38, 12))::DOUBLE AS wn, sum(n * n)::DOUBLE AS nn, sum(n * n * n)::DOUBLE AS nnn, sum(n::HUGEINT * n * n * n)::DOUBLE AS nnnn, sum(chance)::DOUBLE AS chance, sum(moves)::DOUBLE AS moves
	FROM by_game GROUP BY ALL
){{if .Clustered.On}}, by_player AS (
	SELECT contest, kind, place, level, k, {{.Clustered.ByPlayer "hits" "n" "s.w / decisions" "decisions"}} AS player_variance, {{.Clustered.Sizes "n" "decisions"}} AS player_sizes
	FROM (SELECT by_game.contest, kind, place, level, k, cluster, factor, sum(n)::DOUBLE AS n, sum(hits::DECIMAL(38, 12))::DOUBLE AS hits
		FROM by_game JOIN clusters ON clusters.contest = by_game.contest AND clusters.game_id = by_game.game_id GROUP BY ALL) c JOIN sums s USING (contest, kind, place, level, k)
	GROUP BY ALL
){{end}}{{if .Paired}}, paired AS (
	-- the share less the first order's, in the same decisions
	SELECT a.contest, a.game_id, k, count(*)::DOUBLE AS n,
		sum((greatest(0, least(1, (k - a.better) / a.equal)) - greatest(0, least(1, (k - b.better) / b.equal)))::DECIMAL(18, 12))::DOUBLE AS d
	FROM decisions a JOIN decisions b ON a.game_id = b.game_id AND a.ply = b.ply AND b.contest = 0, (SELECT unnest(range(1, 21)) AS k)
	WHERE a.contest IN ({{range $i, $n := .Paired}}{{if $i}}, {{end}}{{.}}{{end}}) GROUP BY ALL
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
		{{.Clustered.Widest "game_variance" "player_variance" "player_sizes" "df" "variance" "t"}},
		CASE WHEN share * (1 - share) > 0 AND variance > 0 THEN share * (1 - share) / variance ELSE df + 1 END AS independent,
		CASE WHEN share * (1 - share) > 0 AND variance > 0 THEN t ELSE 1.959963984540054e0 END AS z
	FROM sums{{if .Clustered.On}} LEFT JOIN by_player USING (contest, kind, place, level, k){{end}}
), names(contest, name) AS (
	VALUES {{range $i, $o := .All}}{{if $i}}, {{end}}({{.Index}}, {{.Quoted}}){{end}}
)
SELECT name AS contest, CASE kind WHEN 0 THEN 'all' WHEN 1 THEN 'phase' WHEN 2 THEN 'mover' ELSE 'player' END AS kind, level, k AS top,
	decisions, games, df + 1 AS effective_games, share, sqrt(nullif(variance, 0)) AS se, wilson_low(share * independent, independent, z := z) AS low, wilson_high(share * independent, independent, z := z) AS high,
	chance / decisions AS chance, moves / decisions AS moves{{if .Paired}},
	difference, sqrt(difference_variance) AS difference_se, CASE WHEN difference_variance >= 0 THEN greatest(-1, difference - difference_t * difference_se) END AS difference_low, CASE WHEN difference_variance >= 0 THEN least(1, difference + difference_t * difference_se) END AS difference_high{{end}}
FROM variances JOIN names USING (contest){{if .Paired}} LEFT JOIN differences USING (contest, kind, k){{end}}
ORDER BY names.contest, variances.kind, place, level, k
