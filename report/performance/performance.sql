{{- /* data: querySQL in read.go */ -}}
/* The values that performances are rated by, in order of games and plies. To run it: kifu query, with the datasets named
   as in FROM. value is from the first player's side{{if .Choices}}, of the position after each legal move{{else}}, of the position at the ply{{end}}.
   kifu computes ratings, intervals and z from these rows. */
{{- if .Choices}}
SELECT game_id, ply::INTEGER AS ply, first_to_move, played, {{.Value}}::FLOAT AS value
FROM {{.Choices}} ORDER BY game_id, ply
{{- else if .Positions}}
SELECT game_id, ply::INTEGER AS ply, first_to_move, true AS played, {{.Value}}::FLOAT AS value
FROM {{.Positions}} WHERE {{.Value}} IS NOT NULL ORDER BY game_id, ply
{{- else}}
SELECT game_id, ply::INTEGER AS ply, (ply % 2 = 0) <> second_begins(variant, start_position, '{{.SecondMark}}') AS first_to_move, true AS played, value::FLOAT AS value
FROM (SELECT game_id, variant, start_position, generate_subscripts(evals, 1) AS ply, unnest(evals) AS value FROM {{.Games}} WHERE evals IS NOT NULL)
WHERE value IS NOT NULL ORDER BY game_id, ply
{{- end}}
