{{- /* data: querySQL in read.go */ -}}
/* The values that performances are rated by, in order of games and plies; kifu query runs it with the datasets under the
   names of FROM. value is from the first player's side{{if .Choices}}, of the position after each move that could be played{{else}}, of the position at the ply{{end}}.
   Ratings, intervals and z are computed by kifu from these rows. */
{{- if .Choices}}
SELECT game_id, ply::INTEGER AS ply, first_to_move, played, {{.Value}}::FLOAT AS value
FROM {{.Choices}} ORDER BY game_id, ply
{{- else if .Positions}}
SELECT game_id, ply::INTEGER AS ply, first_to_move, true AS played, {{.Value}}::FLOAT AS value
FROM {{.Positions}} WHERE {{.Value}} IS NOT NULL ORDER BY game_id, ply
{{- else}}
SELECT game_id, ply::INTEGER AS ply, ply % 2 = 0 AS first_to_move, true AS played, value::FLOAT AS value
FROM (SELECT game_id, generate_subscripts(evals, 1) AS ply, unnest(evals) AS value FROM {{.Games}} WHERE evals IS NOT NULL AND start_position IS NULL)
WHERE value IS NOT NULL ORDER BY game_id, ply
{{- end}}
