{{- /* data: rowsSQL in examples.go */ -}}
/* The positions at the places, and the rows of the moves that follow, in one pass: a query of its
   own for these made DuckDB keep the labels in memory. Players are joined from the named games
   alone, because the database keeps what it joins with in memory. */
SELECT p.ask, p.wrong, l.game_id AS game_id, l.ply AS ply, p.ply AS at, l.board AS board, l.move AS move, l.result AS result, l.{{.Value}}::DOUBLE AS value,
	{{if .Line}}l.{{.Line}}{{else}}NULL{{end}} AS line
	{{- range $i, $g := .Groups}}, l.{{$g}}::DOUBLE AS g{{$i}}{{end}}
	{{- if .Terms}}, l.features AS features, l.leaf_phase AS leaf_phase{{end}}
	{{- if .Named}}, g.first_player AS first_player, g.second_player AS second_player, g.date AS date{{else}}, NULL AS first_player, NULL AS second_player, NULL AS date{{end}}
FROM (VALUES {{.Places}}) p(ask, place, wrong, game_id, ply) JOIN (SELECT * FROM labels WHERE game_id IN ({{.Games}})) l ON l.game_id = p.game_id AND l.ply BETWEEN p.ply AND p.ply + {{.Next}} - 1
{{- if .Named}}
	LEFT JOIN (SELECT game_id, first_player, second_player, date FROM games WHERE game_id IN ({{.Games}})) g ON g.game_id = l.game_id{{end}}
ORDER BY p.ask, p.wrong DESC, p.place, l.ply
