{{- /* data: scaleSQL in calibration.go */ -}}
{{if .Heads.On}}WITH RECURSIVE {{template "heads" .Heads}} {{end}}SELECT {{.Value}}::DOUBLE AS value, count(*) FILTER (result = 'first') AS wins, count(*) FILTER (result = 'draw') AS draws, count(*) FILTER (result = 'second') AS losses
FROM {{.View}} WHERE isfinite({{.Value}}::DOUBLE) AND abs({{.Value}}::DOUBLE) <= {{decided}}{{if .Holdout}} AND game_id IN {{template "side" (.Heads.Train .View)}}{{end}}
GROUP BY 1 ORDER BY 1
