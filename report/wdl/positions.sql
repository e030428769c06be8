{{- /* data: querySQL in wdl.go */ -}}
{{if .Heads.On}}WITH RECURSIVE {{template "heads" .Heads}} {{end}}SELECT game_id, ({{.MOM}}
	)::BIGINT AS mom, {{.Of.Value}}::DOUBLE AS value, result, count(*) AS n, {{if .Holdout}}game_id IN {{template "side" (.Heads.Held .Of.View)}}{{else}}false{{end}} AS held
FROM {{.Of.View}} WHERE result IN ('first', 'draw', 'second') AND isfinite(value) AND abs(value) <= {{decided}}{{if .Within}} AND abs(value) <= {{.Within}}{{end}}{{if not .Unbounded}} AND mom BETWEEN {{.Least}} AND {{.Most}}{{end}}
GROUP BY ALL ORDER BY ALL
