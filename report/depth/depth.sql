{{- /* data: depthSQL in depth.go */ -}}
/* Deep values regressed on shallow ones (ProbCut, Buro 1995): deep = a·shallow + b + error,
   with the error's standard deviation sigma, by phase. One row per pair of searches and
   group of positions. To run it: kifu query, with the datasets named as in FROM.

   Positions with a forced win in either search are left out. sigma is the root of the sum
   of squares over (positions - 2), r2 the share of the deep values' variance that the line
   explains, shift the mean of deep - shallow. Positions of one game are not
   independent{{if .Players.On}}, and neither are games of one player (clusters){{end}}; a_se, b_se and sigma_se allow for this.
   Sums are of decimals, so they do not depend on the order of the rows. */
WITH values AS (
{{- range $i, $p := .Pairs}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{$i}} AS pair, game_id, {{.Deep.Phase}} AS phase, {{.Shallow.Value}}::DOUBLE AS x, {{.Deep.Value}}::DOUBLE AS y
	FROM {{.Deep.View}} AS labels
	WHERE isfinite(x) AND isfinite(y) AND abs(x) <= {{decided}} AND abs(y) <= {{decided}}{{if $.Within}} AND abs(x) <= {{$.Within}}{{end}}{{end}}
), groups AS (
	SELECT pair, 0 AS kind, 0 AS place, game_id, x, y FROM values
	UNION ALL
	SELECT pair, 1, {{.Phases.First}} + floor((phase - {{.Phases.First}}) / {{.Phases.Width}})::INTEGER * {{.Phases.Width}}, game_id, x, y FROM values
), by_game AS MATERIALIZED (
	SELECT pair, kind, place, game_id, count(*)::DOUBLE AS n, sum(x::DECIMAL(18, 6))::DOUBLE AS x, sum(y::DECIMAL(18, 6))::DOUBLE AS y,
		sum((x * x)::DECIMAL(38, 10))::DOUBLE AS xx, sum((x * y)::DECIMAL(38, 10))::DOUBLE AS xy, sum((y * y)::DECIMAL(38, 10))::DOUBLE AS yy
	FROM groups GROUP BY ALL
), sums AS (
	SELECT pair, kind, place, sum(n) AS n, count(*) AS games, sum(n * n) AS nn, sum(n * n * n) AS nnn, sum((n * n)::DECIMAL(38, 0) * (n * n)::DECIMAL(38, 0))::DOUBLE AS nnnn, sum(x::DECIMAL(38, 6))::DOUBLE AS sx, sum(y::DECIMAL(38, 6))::DOUBLE AS sy,
		sum(xx::DECIMAL(38, 10))::DOUBLE AS sxx, sum(xy::DECIMAL(38, 10))::DOUBLE AS sxy, sum(yy::DECIMAL(38, 10))::DOUBLE AS syy
	FROM by_game GROUP BY ALL
), lines AS (
	SELECT *, sx / n AS mean_x, sy / n AS mean_y, sxx - sx * mean_x AS about_x, sxy - sx * mean_y AS about_xy, syy - sy * mean_y AS about_y,
		about_xy / nullif(about_x, 0) AS a, mean_y - a * mean_x AS b, greatest(0, about_y - a * about_xy) AS rest, rest / nullif(n, 0) AS mean_square
	FROM sums WHERE n > 2
), scores AS (
	-- of each game: the sums of the errors, of error × (x - mean), and of error² - mean square
	SELECT pair, kind, place, {{if or .Players.On .Paired}}game_id, g.n AS n, n_all, {{end}}g.y - a * g.x - b * g.n AS e, g.xy - a * g.xx - b * g.x - mean_x * e AS ex,
		g.yy + a * a * g.xx + b * b * g.n - 2 * a * g.xy - 2 * b * g.y + 2 * a * b * g.x - mean_square * g.n AS ee, e - mean_x * n_all / about_x * ex AS u
	FROM by_game g JOIN (SELECT pair, kind, place, a, b, mean_x, mean_square, about_x, n AS n_all FROM lines) USING (pair, kind, place)
), robust AS (
	SELECT pair, kind, place, sum((ex * ex)::DECIMAL(38, 12))::DOUBLE AS ex2, sum((u * u)::DECIMAL(38, 12))::DOUBLE AS u2, sum((ee * ee)::DECIMAL(38, 12))::DOUBLE AS ee2
	FROM scores GROUP BY ALL
){{if .Players.On}}, {{template "clusters" .Players}}, by_player AS (
	-- as robust, by player, each sum divided by one less the player's share of the positions
	SELECT pair, kind, place, {{range $i, $x := .Scores}}{{if $i}}, {{end}}sum((factor * {{.}} * {{.}})::DECIMAL(38, 12))::DOUBLE AS player_{{.}}2{{end}}, {{.Players.Sizes "n" "n_all"}} AS player_sizes
	FROM (SELECT pair, kind, place, cluster, factor, sum(n) AS n, any_value(n_all) AS n_all, 1 - least(0.99, sum(n) / any_value(n_all)) AS rest, {{range $i, $x := .Scores}}{{if $i}}, {{end}}sum({{.}}::DECIMAL(38, 12))::DOUBLE / rest AS {{.}}{{end}}
		FROM scores JOIN clusters ON contest = pair AND clusters.game_id = scores.game_id GROUP BY pair, kind, place, cluster, factor) c
	GROUP BY pair, kind, place
){{end}}, widest AS (
	SELECT pair, kind, place, cluster_degrees(n, nn, nnn, nnnn) AS df, {{range $i, $x := .Scores}}{{if $i}}, {{end}}{{$.Players.Widest (printf "r.%s2 / nullif(kept_share(n, nn, nnn), 0)" .) (printf "player_%s2" .) "player_sizes" "df" (printf "%s2_wide" .) (printf "%s_t" .)}}{{end}}
	FROM robust r JOIN lines USING (pair, kind, place){{if .Players.On}} LEFT JOIN by_player USING (pair, kind, place){{end}}
){{if .Paired}}, paired AS (
	-- each game's part in the difference of sigma from the first pair with the
	-- same deep search
	SELECT s.pair, s.game_id, s.n AS n, s.n_all AS n_all, s.ee / (2 * sqrt(l.rest / (l.n - 2)) * l.n) - f.ee / (2 * sqrt(m.rest / (m.n - 2)) * m.n) AS d
	FROM (VALUES {{range $i, $x := .Paired}}{{if $i}}, {{end}}({{.Pair}}, {{.First}}){{end}}) AS firsts(pair, first)
		JOIN scores s ON s.pair = firsts.pair AND s.kind = 0 JOIN scores f ON f.pair = first AND f.kind = 0 AND f.game_id = s.game_id
		JOIN lines l ON l.pair = s.pair AND l.kind = 0 JOIN lines m ON m.pair = first AND m.kind = 0
), paired_games AS (
	SELECT pair, sum((d * d)::DECIMAL(38, 24))::DOUBLE / nullif(kept_share(sum(n), sum(n * n), sum(n * n * n)), 0) AS game_variance, cluster_degrees(sum(n), sum(n * n), sum(n * n * n), sum((n * n)::DECIMAL(38, 0) * (n * n)::DECIMAL(38, 0))) AS df
	FROM paired GROUP BY pair
){{if .Players.On}}, paired_players AS (
	SELECT pair, sum((factor * d * d)::DECIMAL(38, 24))::DOUBLE AS player_variance, {{.Players.Sizes "n" "n_all"}} AS player_sizes
	FROM (SELECT pair, cluster, factor, sum(n) AS n, any_value(n_all) AS n_all, sum(d::DECIMAL(38, 24))::DOUBLE / (1 - least(0.99, sum(n) / any_value(n_all))) AS d FROM paired JOIN clusters ON contest = pair AND clusters.game_id = paired.game_id GROUP BY pair, cluster, factor) c
	GROUP BY pair
){{end}}, differences AS (
	SELECT pair, 0 AS kind, sqrt(l.rest / (l.n - 2)) - sqrt(m.rest / (m.n - 2)) AS sigma_difference,
		{{.Players.Widest "game_variance" "player_variance" "player_sizes" "df" "difference_variance" "difference_t"}}
	FROM (VALUES {{range $i, $x := .Paired}}{{if $i}}, {{end}}({{.Pair}}, {{.First}}){{end}}) AS firsts(pair, first) JOIN paired_games USING (pair){{if .Players.On}} LEFT JOIN paired_players USING (pair){{end}}
		JOIN lines l ON l.pair = firsts.pair AND l.kind = 0 JOIN lines m ON m.pair = first AND m.kind = 0
){{end}}, names(pair, source, shallow, deep) AS (
	VALUES {{range $i, $p := .Pairs}}{{if $i}}, {{end}}({{$i}}, {{.Deep.QuotedSource}}, {{.Shallow.QuotedColumn}}, {{.Deep.QuotedColumn}}){{end}}
)
SELECT source, shallow, deep, CASE kind WHEN 0 THEN 'all' ELSE 'phase' END AS kind,
	CASE kind WHEN 0 THEN 'all' ELSE {{if eq .Phases.Width 1}}format('{}', place){{else}}format('{}-{}', place, place + {{.Phases.Width}} - 1){{end}} END AS level, place + {{.Phases.Width}} / 2.0::DOUBLE - 0.5::DOUBLE AS centre,
	n::BIGINT AS positions, games, df + 1 AS effective_games, a, sqrt(ex2_wide) / about_x AS a_se, b, sqrt(u2_wide) / n AS b_se,
	sqrt(rest / (n - 2)) AS sigma, sqrt(ee2_wide) / n / nullif(2 * sigma, 0) AS sigma_se, CASE WHEN sigma_se >= 0 THEN greatest(0, sigma - ee_t * sigma_se) END AS sigma_low, sigma + ee_t * sigma_se AS sigma_high,
	a - ex_t * a_se AS a_low, a + ex_t * a_se AS a_high, b - u_t * b_se AS b_low, b + u_t * b_se AS b_high,
	a * about_xy / nullif(about_y, 0) AS r2, mean_y - mean_x AS shift{{if .Paired}},
	sigma_difference, sqrt(difference_variance) AS sigma_difference_se, sigma_difference - difference_t * sigma_difference_se AS sigma_difference_low, sigma_difference + difference_t * sigma_difference_se AS sigma_difference_high{{end}}
FROM lines JOIN widest USING (pair, kind, place) JOIN names USING (pair){{if .Paired}} LEFT JOIN differences USING (pair, kind){{end}}
WHERE a IS NOT NULL
ORDER BY names.pair, lines.kind, lines.place
