{{- /* data: querySQL in mistakes.go */ -}}
/* Moves that lost value, and positions in which a model of the opponent goes wrong. kifu query runs it with the
   datasets under the names of FROM.

   A move costs the value of the best move less its own, by one search, from the mover's side; values beyond
   ±{{.Cap}} count as that. A mistake costs {{.Least}} or more.

   mistake    a move that lost value in a position: how often it was made there, how often the position was
              reached (moves), the mean cost, and one of its games
   player, opening, phase    moves, mistakes, those that others or the same player made in the same position
              before or after (repeated), and the value that mistakes lost in all (lost)
{{- if .Model.View}}
   trap       Jansen (1990): the model's favourite costs {{.Least}} or more; every other move seems {{.Least}} or more worse to it
   swindle    the only move that does not lose {{.Least}} or more seems {{.Least}} or more worse to the model than its favourite
   other      its favourite costs {{.Least}} or more, and neither holds. cost: mean over its equal favourites
   model      what was played in positions of each kind, and in all others (none)
{{- end}} */
WITH choice AS (
	SELECT c.game_id, c.ply, c.move, c.played, {{if .Phase}}c.phase{{else}}c.ply // 20 * 20{{end}} AS phase, c.first_to_move,
		greatest(-{{.Cap}}, least({{.Cap}}, if(c.first_to_move, 1, -1) * c.{{.Value}}::DOUBLE)) AS v{{if .Model.View}}, if(c.first_to_move, 1, -1) * m.{{.Model.Value}}::DOUBLE AS w
	FROM {{.Choices}} c JOIN {{.Model.View}} m USING (game_id, ply, move){{else}} FROM {{.Choices}} c{{end}}
), ranked AS (
	-- equals in the order of their texts
	SELECT *, max(v) OVER decision AS best, first_value(move) OVER (decision ORDER BY v DESC, move) AS better, nth_value(v, 2) OVER (decision ORDER BY v DESC, move ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS second
		{{- if .Model.View}}, max(w) OVER decision AS top, nth_value(w, 2) OVER (decision ORDER BY w DESC, move ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS next{{end}}
	FROM choice WINDOW decision AS (PARTITION BY game_id, ply)
), decision AS MATERIALIZED (
	SELECT r.game_id, r.ply, any_value(p.hash) AS hash, any_value(p.board) AS board, any_value(r.phase) AS phase, any_value(if(r.first_to_move, g.first_player, g.second_player)) AS player, any_value(g.opening) AS opening,
		any_value(r.better) AS better, max(r.move) FILTER (r.played) AS move, max(best - v) FILTER (r.played) AS cost, max(best - v) FILTER (r.played) >= {{.Least}} AS mistake
		{{- if .Model.View}}, avg(best - v ORDER BY r.move) FILTER (w = top) AS model_cost, min(r.move) FILTER (w = top) AS favourite,
		CASE WHEN model_cost < {{.Least}} THEN 'none' WHEN any_value(top - next) >= {{.Least}} THEN 'trap'
			WHEN any_value(best - second) >= {{.Least}} AND any_value(top) - max(w) FILTER (r.move = r.better) >= {{.Least}} THEN 'swindle' ELSE 'other' END AS kind{{end}}
	FROM ranked r JOIN {{.Positions}} p USING (game_id, ply) JOIN {{.Games}} g USING (game_id){{if .Player}}
	WHERE lower(if(r.first_to_move, g.first_player, g.second_player)) GLOB lower({{.Player}}){{end}}
	GROUP BY r.game_id, r.ply
), made AS (
	SELECT *, count(*) OVER (PARTITION BY hash) AS reached, count(*) OVER (PARTITION BY hash, move) AS same FROM decision
), facts AS (
	SELECT 'mistake' AS section, NULL::VARCHAR AS item, any_value(fen(board)) AS position, any_value(san(board, move)) AS move, any_value(san(board, better)) AS better, any_value(reached) AS moves, count(*) AS mistakes, NULL::BIGINT AS repeated, avg(cost ORDER BY game_id) AS cost, min((game_id, ply)) AS of
	FROM made WHERE mistake GROUP BY hash, move
	UNION ALL
	SELECT section, item, NULL, NULL, NULL, count(*), count(*) FILTER (mistake), count(*) FILTER (mistake AND same > 1), sum(cost ORDER BY game_id, ply) FILTER (mistake), NULL
	FROM (SELECT *, unnest([{'section': 'player', 'item': player}, {'section': 'opening', 'item': opening}, {'section': 'phase', 'item': phase::VARCHAR}], recursive := true) FROM made)
	WHERE item <> '' GROUP BY section, item
{{- if .Model.View}}
	UNION ALL
	SELECT kind, NULL, any_value(fen(board)), any_value(san(board, favourite)), any_value(san(board, better)), count(*), count(*) FILTER (mistake), NULL, any_value(model_cost), min((game_id, ply))
	FROM made WHERE kind <> 'none' GROUP BY kind, hash
	UNION ALL
	SELECT 'model', kind, NULL, NULL, NULL, count(*), count(*) FILTER (mistake), NULL, sum(cost ORDER BY game_id, ply) FILTER (mistake), NULL FROM made GROUP BY kind
{{- end}}
)
SELECT section, item, position, move, better, moves::BIGINT AS moves, mistakes::BIGINT AS mistakes, repeated::BIGINT AS repeated, cost, of[1]::BIGINT AS game_id, of[2]::BIGINT AS ply FROM facts
ORDER BY list_position(['mistake', 'player', 'opening', 'phase', 'trap', 'swindle', 'other', 'model'], section), if(section = 'phase', item::BIGINT, 0), if(section = 'mistake', -mistakes * cost, if(section IN ('trap', 'swindle', 'other'), -cost, -mistakes)), moves DESC, item, position, move
