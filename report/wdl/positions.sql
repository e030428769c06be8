{{- /* data: querySQL in wdl.go */ -}}
SELECT game_id, ({{.MOM}}
	)::INTEGER AS mom, {{.Of.Value}}::DOUBLE AS value, result
FROM {{.Of.View}} WHERE result IN ('first', 'draw', 'second') AND isfinite(value) AND abs(value) <= {{decided}}{{if .Within}} AND abs(value) <= {{.Within}}{{end}}{{if not .Unbounded}} AND mom BETWEEN {{.Least}} AND {{.Most}}{{end}}
