{{- /* data: querySQL in moves.go */ -}}
{{define "decisions" -}}
{{if and .Holdout .Views}}sides AS MATERIALIZED (
{{- range $i, $v := .Views}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{$i}} AS view, game_id, game_id IN {{template "side" ($.Heads.Held $v)}} AS held FROM (SELECT DISTINCT game_id FROM {{$v}}{{with $.Part}} WHERE {{.}}{{end}}){{end}}
), {{end}}{{range .Orders}}{{if .Pattern}}{{.Rates}} AS (
	SELECT pattern, (times + overall) / (available + 1) AS rate, overall
	FROM (SELECT *, sum(times) OVER () / sum(available) OVER () AS overall
		FROM (SELECT ({{.Pattern}}
				) AS pattern, count(*) FILTER (played) AS times, count(*) AS available
			FROM {{.View}} WHERE game_id IN (SELECT game_id FROM sides WHERE view = {{.ViewIndex}} AND NOT held)
			GROUP BY pattern))
), {{end}}{{end}}{{if .Orders}}moves AS (
{{- range $i, $o := .Orders}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{.Index}} AS contest, game_id, ply, {{.Phase}} AS phase, first_to_move, played, {{if .Pattern}}coalesce(rate, (SELECT any_value(overall) FROM {{.Rates}})){{else}}CASE WHEN first_to_move THEN 1 ELSE -1 END * {{.Value}}::DOUBLE{{end}} AS value
	FROM {{.View}}{{if .Pattern}} LEFT JOIN {{.Rates}} ON pattern IS NOT DISTINCT FROM ({{.Pattern}}
		){{end}}
	{{- with $.Part}} WHERE {{.}}{{end}}{{if $.Holdout}}
	{{if $.Part}}AND{{else}}WHERE{{end}} game_id IN (SELECT game_id FROM sides WHERE view = {{.ViewIndex}} AND held){{end}}{{end}}
), {{end}}ranked AS {{if .Paired}}MATERIALIZED {{end}}(
	-- the moves of a decision that come before the one played, and those that share its places
{{- if .Orders}}
	SELECT contest, game_id, ply, phase, first_to_move, moves, len(list_filter(options, x -> x > value)) AS better, len(list_filter(options, x -> x = value)) AS equal{{if .Boards}}, value, list_max(options) AS best{{end}}
	FROM (SELECT contest, game_id, ply, max(phase) FILTER (played) AS phase, any_value(first_to_move) AS first_to_move, count(*) AS moves, list(value) AS options, max(value) FILTER (played) AS value
		FROM moves GROUP BY contest, game_id, ply HAVING count(*) > 1 AND bool_or(played)){{end}}
{{- range $i, $o := .Predicted}}{{if or $i $.Orders}}
	UNION ALL{{end}}
	SELECT {{.Index}} AS contest, game_id, ply, phase, first_to_move, legal_moves::BIGINT AS moves, better::BIGINT AS better, equal::BIGINT AS equal{{if $.Boards}}, NULL::DOUBLE AS value, NULL::DOUBLE AS best{{end}} FROM {{.View}}{{with $.Part}} WHERE {{.}}{{end}}{{end}}
), decisions AS (
	SELECT *{{if .Paired}} FROM ranked LEFT JOIN (
		SELECT game_id, ply, better AS first_better, equal AS first_equal FROM ranked WHERE contest = 0) USING (game_id, ply){{else}} FROM ranked{{end}}
)
{{- end -}}
