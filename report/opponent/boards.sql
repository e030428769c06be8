{{- /* data: boardsSQL in boards.go */ -}}
WITH decisions AS (
	SELECT game_id, ply, legal_moves, position, move, model_better, model_equal FROM {{.View}} WHERE part = {{.Sample}}
), least AS (
	SELECT false AS expected, unnest(list(k ORDER BY k.model_better DESC, k.game_id)[:{{.Least}}]) AS k
	FROM (SELECT max(struct_pack(model_better := model_better, legal_moves := legal_moves, game_id := game_id, ply := -ply)) AS k FROM decisions WHERE model_better > 0 GROUP BY game_id)
), most AS (
	-- in no order that the model knows of
	SELECT true AS expected, unnest(list(k ORDER BY (k.game_id % 4294967296)::UBIGINT * 2654435761 % 4294967296)[:{{.Most}}]) AS k
	FROM (SELECT max(struct_pack(legal_moves := legal_moves, game_id := game_id, ply := -ply)) AS k FROM decisions WHERE model_better = 0 AND model_equal = 1 GROUP BY game_id)
)
SELECT c.expected, c.game_id, c.ply, d.position, d.move, d.legal_moves AS moves, d.model_better AS better, d.model_equal AS equal,
	{{if .Games}}g.variant, g.start_position, g.moves AS codes, g.first_player, g.second_player, g.date, g.result{{else}}NULL AS codes, '' AS first_player, '' AS second_player, '' AS date, '' AS result{{end}}
FROM (SELECT expected, k.game_id AS game_id, -k.ply AS ply FROM least UNION ALL SELECT expected, k.game_id, -k.ply FROM most) c
JOIN decisions d USING (game_id, ply){{if .Games}} JOIN {{.Games}} g ON g.game_id = c.game_id{{end}}
ORDER BY c.expected, d.model_better DESC, c.game_id, c.ply
