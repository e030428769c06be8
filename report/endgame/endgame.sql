{{- /* data: querySQL in endgame.go */ -}}
/* The endings of games: one row per game and ending. An ending is the material on the board where the phase is {{.Phase}} or less; of the
   weakest kind of each side one piece is listed (the function ending). It must last {{.Plies}} positions or more, from the first of
   them. To run it: kifu query, with the datasets named as in FROM.

   points are for the side that is ahead (the function ahead), or for the first player if both have the same pieces.
   expected is {{if .Value}}the mean score of all positions of similar value, in {{.Bands}} bands{{else}}Elo's expectation from the ratings; null without ratings{{end}}. */
WITH {{if .Value}}cap AS (
	SELECT quantile_cont(abs({{.Value}}), 0.95)::DOUBLE AS cap FROM {{.Positions}} WHERE abs({{.Value}}) <= {{decided}}
), valued AS (
	SELECT game_id, ply, floor({{.Bands}} / 2 * greatest(-1, least(1, {{.Value}} / greatest(cap, 1e-9))) + 0.5) AS band, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 WHEN 'second' THEN 0 END AS points
	FROM {{.Positions}}, cap
), usual AS (
	SELECT band, sum(points)::DOUBLE / count(points) AS expected FROM valued GROUP BY band
), {{end}}late AS (
	SELECT game_id, ply, nth, ending(board, {{.Quoted}}) AS ending, ahead(board, {{.Quoted}}) AS ahead
	FROM (SELECT game_id, ply, row_number() OVER (PARTITION BY game_id ORDER BY ply) AS nth FROM {{.Positions}}{{if .Where}} WHERE {{.Where}}{{end}})
		JOIN (SELECT game_id, ply, board FROM {{.Positions}} WHERE phase <= {{.Phase}}) USING (game_id, ply)
), runs AS (
	SELECT game_id, ending, min(ply) AS ply, count(*) AS positions, arg_min(ahead, ply) AS ahead
	FROM (SELECT *, nth - row_number() OVER (PARTITION BY game_id, ending ORDER BY ply) AS run FROM late)
	GROUP BY game_id, ending, run HAVING count(*) >= {{.Plies}}
), reached AS (
	SELECT game_id, ending, min(ply) AS ply, sum(positions)::BIGINT AS positions, arg_min(ahead, ply) = 'second' AS turned FROM runs GROUP BY game_id, ending
)
SELECT game_id, ply::BIGINT AS ply, ending, positions, CASE p.result WHEN 'draw' THEN 0.5 WHEN 'first' THEN if(turned, 0, 1) WHEN 'second' THEN if(turned, 1, 0) END::DOUBLE AS points,
	{{if .Value}}if(turned, 1 - expected, expected){{else}}if(turned, elo_expectation(p.second_elo::INTEGER, p.first_elo::INTEGER), elo_expectation(p.first_elo::INTEGER, p.second_elo::INTEGER)){{end}} AS expected{{if .Games}},
	g.first_player, g.second_player{{end}}
FROM reached JOIN {{.Positions}} p USING (game_id, ply){{if .Value}} JOIN valued USING (game_id, ply) JOIN usual USING (band){{end}}{{if .Games}} LEFT JOIN {{.Games}} g USING (game_id){{end}}
ORDER BY ending, game_id
