{{- /* data: Heads in heads.go */ -}}
{{define "heads" -}}
sights AS MATERIALIZED (
	-- positions from ply {{.FromPly}} on, and the beginnings of games up to it, by which copies of games
	-- are told, and games that go the same way so far
{{- range $i, $v := .Views}}{{if .Hashed}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{.Number}} AS view, game_id, hash AS sight, ply FROM {{.View}} WHERE ply >= {{$.FromPly}}{{end}}{{if .Games}}{{if or .Hashed $i}}
	UNION ALL{{end}}
	SELECT {{.Number}} AS view, game_id, hash(game, coalesce(start_position, ''), left(hex(moves), 4 * {{$.FromPly}})) AS sight, -1 AS ply FROM {{.Games}} WHERE ply_count >= {{$.FromPly}}{{end}}{{end}}
), shared AS MATERIALIZED (
	SELECT DISTINCT view, game_id, sight, ply FROM sights JOIN (SELECT view, sight, ply FROM sights GROUP BY ALL HAVING min(game_id) < max(game_id)) USING (view, sight, ply)
){{range $i, $n := .Rounds}}, heads{{.}} AS MATERIALIZED (
	SELECT view, game_id, min(least) AS head
	FROM (SELECT view, game_id, min({{if $i}}head{{else}}game_id{{end}}) OVER (PARTITION BY view, sight, ply) AS least FROM shared{{if $i}} JOIN heads{{$i}} USING (view, game_id){{end}})
	GROUP BY ALL
){{end}}, heads AS (
	-- the least game of those that a game hangs together with: its side decides
	SELECT * FROM heads{{len .Rounds}}
)
{{- end -}}
{{define "side"}}(SELECT game_id FROM (SELECT DISTINCT game_id FROM {{.View}}){{if .Known}} LEFT JOIN (SELECT game_id, head FROM heads WHERE view = {{.Number}}) USING (game_id){{end}}
		WHERE {{if .Train}}NOT {{end}}held_out({{if .Known}}coalesce(head, game_id){{else}}game_id{{end}}, {{.Share}}, seed := {{.Seed}})){{end -}}
