{{- /* data: querySQL in calibration.go */ -}}
/* Can forecasts of the winner be trusted? A forecast is p = 1/(1+exp(-w0·value)), with
   w0 fitted to the games that are not held out{{if .Scale}} (here given){{end}}. One row per forecast and group
   of positions. To run it: kifu query, with the datasets named as in FROM.

   kind is all (every position{{if .Holdout}} of the held-out games{{end}}) or a group. bin has the positions with
   a forecast in [level, level + 1/{{.Bins}}); the reliability curve is won against forecast.
   log_loss is the mean of -ln of the probability given to the result, brier the mean of
   (result - p)². accuracy is the share of decided positions whose winner got more than
   1/2. order_agreement is the share of pairs of positions with different results that the
   values put in the right order; equal values count half. Draws {{if .Half}}count half a win{{else}}are left out{{end}}.

   Positions of one game are not independent{{if .Players.On}}, and neither are games of one player (clusters){{end}}. se and log_loss_se are errors
   of the ratio of the games' sums (linearised). low and high are Wilson's 95 % interval of won
   for the number of independent positions with the same variance, with Student's t for few
   games. effective_games is the number of games of equal length with as much information.
   {{if .Paired}}difference is the log-loss minus the first forecast's, on the same positions; its error
   comes from the differences by game.
   {{end}}Sums are of decimals, so they do not depend on the order of the rows. */
WITH {{if .Heads.On}}RECURSIVE {{template "heads" .Heads}}, {{end}}positions AS (
{{- range $i, $f := .Forecasts}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{.Index}} AS forecast, game_id, {{if $.Plies}}ply, {{end}}{{.Phase}} AS phase, {{if $.Rated}}(first_elo + second_elo) / 2 AS rating, {{end}}{{.Value}}::DOUBLE AS value, {{.W0}} * {{.Value}}::DOUBLE AS z,
		CASE result WHEN 'first' THEN 1 WHEN 'second' THEN 0{{if $.Half}} WHEN 'draw' THEN 0.5{{end}} END::DOUBLE AS y{{range .By}},
		({{.SQL}}
		) AS by{{.Index}}{{end}}
	FROM {{.View}}
	{{- if $.Holdout}}
	WHERE game_id IN {{template "side" ($.Heads.Held .View)}}{{end}}{{end}}
), judged AS MATERIALIZED (
	SELECT *, 1 / (1 + exp(-z)) AS p, (greatest(z, 0) + ln(1 + exp(-abs(z))) - y * z)::DECIMAL(18, 12) AS loss, ((y - p) * (y - p))::DECIMAL(18, 12) AS square,
		CASE WHEN y <> 0.5 THEN CASE WHEN z = 0 THEN 0.5 WHEN (z > 0) = (y > 0.5) THEN 1 ELSE 0 END END::DECIMAL(18, 1) AS correct
	FROM positions WHERE y IS NOT NULL AND isfinite(value) AND abs(value) <= {{decided}}
), groups AS (
	-- level is the name of a group of --by; the others' names follow from place, at the end
	SELECT forecast, 0 AS kind, 0::DOUBLE AS place, '' AS level, game_id, value, y, p, loss, square, correct FROM judged
	UNION ALL
	SELECT forecast, 1, least(floor(p * {{.Bins}}), {{.Bins}} - 1) / {{.Bins}}, '', game_id, value, y, p, loss, square, correct FROM judged
{{- if .Plies}}
	UNION ALL
	SELECT forecast, 2, CASE WHEN ply < 20 THEN 0 WHEN ply < 40 THEN 20 WHEN ply < 60 THEN 40 WHEN ply < 80 THEN 60 WHEN ply < 120 THEN 80 ELSE 120 END, '', game_id, value, y, p, loss, square, correct FROM judged
{{- end}}
	UNION ALL
	SELECT forecast, 3, {{.Phases.First}} + floor((phase - {{.Phases.First}}) / {{.Phases.Width}})::INTEGER * {{.Phases.Width}}, '', game_id, value, y, p, loss, square, correct FROM judged
{{- if .Rated}}
	UNION ALL
	SELECT forecast, 4, coalesce(floor(rating / 200) * 200, -1), '', game_id, value, y, p, loss, square, correct FROM judged
{{- end}}
{{- range .By}}
	UNION ALL
	SELECT forecast, {{.Kind}}, coalesce(try_cast(by{{.Index}} AS DOUBLE), 0), coalesce(by{{.Index}}::VARCHAR, 'null'), game_id, value, y, p, loss, square, correct FROM judged
{{- end}}
), by_game AS MATERIALIZED (
	SELECT forecast, kind, place, level, game_id, count(*) AS n, sum(y)::DOUBLE AS w, sum(p::DECIMAL(18, 12)) AS p, sum(loss) AS loss, sum(square) AS square,
		sum(correct) AS correct, count(correct) AS decided
	FROM groups GROUP BY ALL
){{if .Players.On}}, {{template "clusters" .Players}}{{end}}, sums AS (
	SELECT forecast, kind, place, level, sum(n)::BIGINT AS positions, count(*) AS games,
		sum(w) AS w, sum(w * w) AS ww, sum(w * n) AS wn, sum(n * n)::DOUBLE AS nn,
		sum(p)::DOUBLE AS p, sum(loss)::DOUBLE AS loss, sum((loss::DOUBLE * loss::DOUBLE)::DECIMAL(38, 12))::DOUBLE AS ll, sum((loss::DOUBLE * n)::DECIMAL(38, 12))::DOUBLE AS ln,
		sum(square)::DOUBLE AS square, sum(correct)::DOUBLE AS correct, sum(decided)::DOUBLE AS decided,
		sum(n * n * n)::DOUBLE AS nnn, sum(n::HUGEINT * n * n * n)::DOUBLE AS nnnn
	FROM by_game GROUP BY ALL
){{if .Players.On}}, by_player AS (
	SELECT forecast, kind, place, level, {{.Players.ByPlayer "w" "n" "s.w / positions" "positions"}} AS player_variance, {{.Players.ByPlayer "loss" "n" "s.loss / positions" "positions"}} AS player_loss_variance, {{.Players.Sizes "n" "positions"}} AS player_sizes
	FROM (SELECT forecast, kind, place, level, cluster, factor, sum(n)::DOUBLE AS n, sum(w) AS w, sum(loss)::DOUBLE AS loss
		FROM by_game JOIN clusters ON contest = forecast AND clusters.game_id = by_game.game_id GROUP BY ALL) c JOIN sums s USING (forecast, kind, place, level)
	GROUP BY ALL
){{end}}, by_value AS (
	SELECT forecast, kind, place, level, value, count(*) FILTER (y = 1)::DOUBLE AS w, count(*) FILTER (y = 0.5)::DOUBLE AS d, count(*) FILTER (y = 0)::DOUBLE AS l
	FROM groups GROUP BY ALL
), below AS (
	SELECT *, sum(l) OVER lower - l AS l_below, sum(d) OVER lower - d AS d_below
	FROM by_value WINDOW lower AS (PARTITION BY forecast, kind, place, level ORDER BY value ROWS UNBOUNDED PRECEDING)
), pairs AS (
	SELECT forecast, kind, place, level, sum(w * (l_below + d_below) + d * l_below) + sum(w * l + w * d + d * l) / 2 AS agree,
		sum(w) * sum(l) + sum(w) * sum(d) + sum(d) * sum(l) AS pairs
	FROM below GROUP BY ALL
), variances AS (
	SELECT *, w / positions AS won, loss / positions AS log_loss,
		greatest(0, ww - 2 * won * wn + won * won * nn) / (positions::DOUBLE * positions) / nullif(kept_share(positions, nn, nnn), 0) AS game_variance,
		greatest(0, ll - 2 * log_loss * ln + log_loss * log_loss * nn) / (positions::DOUBLE * positions) / nullif(kept_share(positions, nn, nnn), 0) AS game_loss_variance,
		cluster_degrees(positions, nn, nnn, nnnn) AS df,
		{{.Players.Widest "game_variance" "player_variance" "player_sizes" "df" "variance" "t"}},
		{{.Players.Widest "game_loss_variance" "player_loss_variance" "player_sizes" "df" "loss_variance" "loss_t"}}
	FROM sums JOIN pairs USING (forecast, kind, place, level){{if .Players.On}} LEFT JOIN by_player USING (forecast, kind, place, level){{end}}
){{if .Paired}}, paired AS (
	-- log-loss less the first forecast's, on the same positions
	SELECT a.forecast, a.game_id, count(*)::DOUBLE AS n, sum(a.loss - b.loss)::DOUBLE AS d
	FROM judged a JOIN judged b ON a.game_id = b.game_id AND a.ply = b.ply AND b.forecast = 0 WHERE a.forecast IN ({{range $i, $n := .Paired}}{{if $i}}, {{end}}{{.}}{{end}}) GROUP BY ALL
), paired_sums AS (
	SELECT forecast, sum(n) AS positions, count(*) AS games, sum(d::DECIMAL(18, 12))::DOUBLE / sum(n) AS difference,
		sum(n * n) AS nn, sum(n * n * n) AS nnn, sum(pow(n, 4)::DECIMAL(38, 0))::DOUBLE AS nnnn
	FROM paired GROUP BY ALL
), paired_games AS (
	SELECT forecast, sum(pow((d - difference * n) / positions, 2)::DECIMAL(38, 24))::DOUBLE / nullif(any_value(kept_share(positions, nn, nnn)), 0) AS game_variance
	FROM paired JOIN paired_sums USING (forecast) GROUP BY ALL
){{if .Players.On}}, paired_players AS (
	SELECT forecast, {{.Players.ByPlayer "d" "n" "difference" "positions"}} AS player_variance, {{.Players.Sizes "n" "positions"}} AS player_sizes
	FROM (SELECT forecast, cluster, factor, sum(n) AS n, sum(d::DECIMAL(38, 12))::DOUBLE AS d FROM paired JOIN clusters ON contest = forecast AND clusters.game_id = paired.game_id GROUP BY ALL) c JOIN paired_sums s USING (forecast)
	GROUP BY ALL
){{end}}, differences AS (
	SELECT forecast, 0 AS kind, difference, {{.Players.Widest "game_variance" "player_variance" "player_sizes" "cluster_degrees(positions, nn, nnn, nnnn)" "difference_variance" "difference_t"}}
	FROM paired_sums JOIN paired_games USING (forecast){{if .Players.On}} LEFT JOIN paired_players USING (forecast){{end}}
){{end}}, forecasts(forecast, name, w0) AS (
	VALUES {{range $i, $f := .Forecasts}}{{if $i}}, {{end}}({{.Index}}, {{.Quoted}}, {{.W0}}){{end}}
), kinds(kind, what) AS (
	VALUES (0, 'all'), (1, 'bin'), (2, 'ply'), (3, 'phase'), (4, 'rating'){{range .By}}, ({{.Kind}}, {{.Quoted}}){{end}}
)
SELECT name AS forecast, w0, what AS kind,
	CASE kind WHEN 0 THEN 'all' WHEN 1 THEN format('{:.3f}', place) WHEN 2 THEN if(place < 120, format('{}-{}', place::INTEGER, if(place < 80, place + 19, 119)::INTEGER), '120-')
		WHEN 3 THEN {{if eq .Phases.Width 1}}format('{}', place::INTEGER){{else}}format('{}-{}', place::INTEGER, place::INTEGER + {{.Phases.Width}} - 1){{end}}
		WHEN 4 THEN if(place < 0, 'no rating', format('{}-{}', place::INTEGER, place::INTEGER + 199)) ELSE level END AS level,
	positions, games, df + 1 AS effective_games, p / positions AS forecast_mean, won, sqrt(nullif(variance, 0)) AS se,
	share_low(won, variance, t, df + 1) AS low, share_high(won, variance, t, df + 1) AS high,
	log_loss, sqrt(loss_variance) AS log_loss_se, CASE WHEN loss_variance >= 0 THEN greatest(0, log_loss - loss_t * log_loss_se) END AS log_loss_low, log_loss + loss_t * log_loss_se AS log_loss_high, square / positions AS brier, correct / nullif(decided, 0) AS accuracy, agree / nullif(pairs, 0) AS order_agreement{{if .Paired}},
	difference, sqrt(difference_variance) AS difference_se, difference - difference_t * difference_se AS difference_low, difference + difference_t * difference_se AS difference_high{{end}}
FROM variances JOIN forecasts USING (forecast) JOIN kinds USING (kind){{if .Paired}} LEFT JOIN differences USING (forecast, kind){{end}}
ORDER BY forecasts.forecast, kinds.kind, place, level
