{{- /* data: querySQL in wdl.go */ -}}
/* Results by value and {{.By}}: one row per band of values, {{.Width}} wide and named by its middle, and {{.By}}. To run it: kifu query,
   with the dataset named as in FROM. The polynomials are fitted to the unchanged values (report/wdl/fit.go). */
SELECT ({{.MOM}}
	)::BIGINT AS mom, floor({{.Of.Value}}::DOUBLE / {{.Width}} + 0.5) * {{.Width}} AS value, count(*) AS positions, count(DISTINCT game_id) AS games,
	count(*) FILTER (result = 'first') AS wins, count(*) FILTER (result = 'draw') AS draws, count(*) FILTER (result = 'second') AS losses
FROM {{.Of.View}}
WHERE result IN ('first', 'draw', 'second') AND isfinite({{.Of.Value}}::DOUBLE) AND abs({{.Of.Value}}::DOUBLE) <= {{decided}}{{if .Within}} AND abs({{.Of.Value}}::DOUBLE) <= {{.Within}}{{end}} AND mom BETWEEN {{.Least}} AND {{.Most}}
GROUP BY ALL ORDER BY ALL
