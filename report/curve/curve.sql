{{- /* data: querySQL in sql.go; the templates named are in games.sql */ -}}
/* Evaluation curves: the share of games won by the first player, by the evaluation
   (Takeuchi, Kaneko, Yamaguchi and Kawai 2007, equations 1 and 2). One row per curve and
   bin. To run it: kifu query, with the datasets named as in FROM.

   A bin is [v - {{.Bin}}/2, v + {{.Bin}}/2) around its centre v, in column bin. Draws {{if .Counted}}count half a win{{else}}are left out{{end}}.{{if .Bands}}
   line is the share in the row: score counts a draw as half a win, won as none, not lost
   as one.{{end}}
   kind is bin, or the reason why positions are not on the axis: the evaluation is a forced
   win of either player, or missing. shown is true if the bin has enough positions
   (min_count). curve_games is the number of games in all bins of the curve together.

   Positions of one game are not independent. variance is the variance of the ratio of the
   games' sums (linearised). low and high are Wilson's 95 % interval for the number of
   independent positions with the same variance, with Student's t for few games.
   effective_games is the number of games of equal length with as much information.
   wilson_low and wilson_high treat positions as independent, and are too narrow. */
{{template "by_game" .}}{{template "by_curve" .}}
, per_game AS MATERIALIZED (
	SELECT source, game_id{{range .Curves}}, sum(wins{{.Index}} + losses{{.Index}}{{if $.Counted}} + draws{{.Index}}{{end}}) AS n{{.Index}}{{end}}
	FROM by_game GROUP BY source, game_id
), games_of AS (
{{- range $i, $c := .Curves}}{{if $i}}
	UNION ALL{{end}}
	SELECT source, {{.Index}} AS curve, count(*) FILTER (n{{.Index}} > 0) AS curve_games FROM per_game GROUP BY source{{end}}
), sums AS (
	SELECT source, curve, bin, sum(n)::BIGINT AS positions, count(*) FILTER (n > 0) AS games,
		sum(wins)::BIGINT AS wins, sum(draws)::BIGINT AS draws, sum(losses)::BIGINT AS losses, sum(unfinished)::BIGINT AS unfinished,
		sum(wins::DOUBLE * wins) AS ww, sum(wins::DOUBLE * n) AS wn, sum(n::DOUBLE * n) AS nn, sum(n::BIGINT * n * n)::DOUBLE AS nnn, sum(n::HUGEINT * n * n * n)::DOUBLE AS nnnn
		{{- if .Counted}}, sum(wins::DOUBLE * draws) AS wd, sum(draws::DOUBLE * draws) AS dd, sum(draws::DOUBLE * n) AS dn{{end}}
	FROM (SELECT *, wins + losses{{if .Counted}} + draws{{end}} AS n FROM by_curve)
	GROUP BY source, curve, bin
), scores AS (
{{- if .Counted}}
	-- w is wins + s draws, so that its moments follow from the moments of wins and draws
	SELECT * EXCLUDE (ww, wn), wins + s * draws AS w, ww + 2 * s * wd + s * s * dd AS ww, wn + s * dn AS wn
	FROM sums, (VALUES ('score', 0.5::DOUBLE){{if .Bands}}, ('won', 0), ('not lost', 1){{end}}) AS lines(line, s)
{{- else}}
	SELECT *, wins::DOUBLE AS w FROM sums
{{- end}}
), {{template "variances" .}}, least AS (
{{- if .MinCount}}
	SELECT {{.MinCount}} AS min_count
{{- else}}
	-- 1,000 as in the paper, or 100 where that would hide more than a fifth of a curve
	SELECT CASE WHEN min(share) < 0.8 THEN 100 ELSE 1000 END AS min_count
	FROM (SELECT coalesce(sum(positions) FILTER (positions >= 1000), 0) / sum(positions) AS share
		FROM sums WHERE abs(bin) < 2147483647 GROUP BY source, curve)
{{- end}}
), {{template "names" .}}
SELECT source_name AS source, curve_name AS curve,{{if .Bands}} line,{{end}}
	CASE bin WHEN 2147483647 THEN 'forced first' WHEN -2147483647 THEN 'forced second' ELSE if(bin IS NULL, 'no value', 'bin') END AS kind,
	CASE WHEN abs(bin) < 2147483647 THEN bin * {{.Bin}}::DOUBLE END AS bin,
	kind = 'bin' AND positions >= min_count AS shown, min_count, curve_games,
	positions, games, wins, draws, losses, unfinished,
	{{template "estimates" .}}
FROM variances JOIN names USING (source, curve) JOIN games_of USING (source, curve), least
ORDER BY variances.source, variances.curve, kind, variances.bin{{if .Bands}}, s{{end}}
