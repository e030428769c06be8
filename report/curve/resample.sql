{{- /* data: curveSQL in curvesql.go */ -}}
/* What a bootstrap over games needs: how many games of a curve put so many won, drawn
   and lost positions into a bin. A sample of as many games sampled with replacement has
   each kind of game as often as a multinomial draw of these counts says. */
{{template "by_game" .}}{{template "by_curve" .}}
, {{template "names" .}}
SELECT source_name AS source, curve_name AS curve, bin * {{.Bin}}::DOUBLE AS bin, wins, draws, losses, count(*) AS games
FROM by_curve JOIN names USING (source, curve)
WHERE abs(bin) < 2147483647 AND wins + losses{{if .Counted}} + draws{{end}} > 0
GROUP BY ALL ORDER BY ALL
