{{- /* data: curveSQL in curvesql.go; the templates named are those of curvegames.sql */ -}}
/* The bins of a curve in several widths and with draws counted in several ways, each as
   curve.sql has it. Labels are read once, into half-bins: v in [h {{.Bin}}/2, (h + 1) {{.Bin}}/2).
   A bin of k widths around 0 begins at half-bin -k and has 2k of them. A way of counting
   has d for whether a draw counts and s for what it scores, so that with w, d and l for
   a game's wins, draws and losses the moments of all ways follow from those of w, d, l. */
{{template "by_game" .}}
, widened AS MATERIALIZED (
	SELECT source, game_id, width, floor((bin + width) / (2.0::DOUBLE * width))::INTEGER AS bin
		{{- range .Curves}},
		sum(wins{{.Index}}) AS wins{{.Index}}, sum(draws{{.Index}}) AS draws{{.Index}}, sum(losses{{.Index}}) AS losses{{.Index}}, 0 AS unfinished{{.Index}}{{end}}
	FROM by_game, (VALUES {{range $i, $w := .Widths}}{{if $i}}, {{end}}({{$w}}){{end}}) AS widths(width)
	WHERE abs(bin) < 2147483647
	GROUP BY ALL
){{template "by_curve" .}}
, sums AS (
	SELECT source, curve, width, bin, sum(wins)::BIGINT AS wins, sum(draws)::BIGINT AS draws, sum(losses)::BIGINT AS losses,
		count(*) FILTER (wins + losses > 0) AS decided, count(*) FILTER (wins + draws + losses > 0) AS ended,
		sum(wins::DOUBLE * wins) AS ww, sum(wins::DOUBLE * draws) AS wd, sum(wins::DOUBLE * losses) AS wl,
		sum(draws::DOUBLE * draws) AS dd, sum(draws::DOUBLE * losses) AS dl, sum(losses::DOUBLE * losses) AS ll,
		sum(pow((wins + losses)::HUGEINT, 3)::HUGEINT)::DOUBLE AS decided_3, sum(pow((wins + losses)::HUGEINT, 4)::HUGEINT)::DOUBLE AS decided_4,
		sum(pow((wins + draws + losses)::HUGEINT, 3)::HUGEINT)::DOUBLE AS ended_3, sum(pow((wins + draws + losses)::HUGEINT, 4)::HUGEINT)::DOUBLE AS ended_4
	FROM by_curve GROUP BY source, curve, width, bin
), scores AS (
	SELECT source, curve, width, way, line, s, {{if .Players.On}}d, {{end}}bin, wins, draws, losses,
		wins + losses + d * draws AS positions, CASE d WHEN 1 THEN ended ELSE decided END AS games,
		wins + s * draws AS w, ww + 2 * s * wd + s * s * dd AS ww,
		ww + wl + d * wd + s * (wd + dl + d * dd) AS wn, ww + 2 * wl + ll + d * (2 * wd + 2 * dl + dd) AS nn,
		CASE d WHEN 1 THEN ended_3 ELSE decided_3 END AS nnn, CASE d WHEN 1 THEN ended_4 ELSE decided_4 END AS nnnn
	FROM sums, (VALUES {{range $i, $w := .Ways}}{{if $i}}, {{end}}('{{.Name}}', '{{.Line}}', {{.Counted}}, {{.Score}}::DOUBLE){{end}}) AS ways(way, line, d, s)
), {{template "variances" .}}, least AS (
{{- if .MinCount}}
	SELECT DISTINCT width, way, {{.MinCount}} AS min_count FROM scores
{{- else}}
	SELECT width, way, CASE WHEN min(share) < 0.8 THEN 100 ELSE 1000 END AS min_count
	FROM (SELECT width, way, coalesce(sum(positions) FILTER (positions >= 1000), 0) / sum(positions) AS share
		FROM scores GROUP BY source, curve, width, way)
	GROUP BY width, way
{{- end}}
), {{template "names" .}}
SELECT width, way, source_name AS source, curve_name AS curve, line, 'bin' AS kind, bin * (width * {{.Bin}}::DOUBLE) AS bin,
	positions >= min_count AS shown, min_count, 0 AS curve_games, positions, games, wins, draws, losses, 0 AS unfinished,
	{{template "estimates" .}}
FROM variances JOIN names USING (source, curve) JOIN least USING (width, way)
ORDER BY width, way, variances.source, variances.curve, variances.bin, s
