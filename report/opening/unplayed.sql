{{- /* data: querySQL in opening.go */ -}}
/* The values of the moves in positions with enough games. */
WITH frequent AS (
	SELECT ply, hash FROM (
		SELECT ply, hash, {{if .Merged}}canonical(any_value(board)){{else}}hash{{end}} AS form, count(*) AS n FROM {{.View}} WHERE ply < {{.Depth}}{{.Chosen}} GROUP BY ply, hash)
	QUALIFY sum(n) OVER (PARTITION BY ply, form) >= {{.MinGames}}
)
SELECT ply, hash, r.first_to_move, c.move, max(c.{{.Value}})::DOUBLE AS value
FROM {{.Choices}} c JOIN (SELECT game_id, ply, hash, first_to_move FROM {{.View}} WHERE ply < {{.Depth}}{{.Chosen}}) r USING (game_id, ply) SEMI JOIN frequent USING (ply, hash)
WHERE c.{{.Value}} IS NOT NULL GROUP BY ALL
