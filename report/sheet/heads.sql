{{- /* data: Heads in heads.go */ -}}
{{define "heads" -}}
{{if .Found}}heads AS (
	SELECT view, game_id, head FROM {{.Found}}
){{else}}sights AS MATERIALIZED (
	-- positions from ply {{.FromPly}} on, and the beginnings of games up to it, which identify copies
	-- of games, and games that go the same way so far
{{- range $i, $v := .Views}}{{if .Hashed}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{.Number}} AS view, game_id, hash AS sight, ply FROM {{.View}} WHERE ply >= {{$.FromPly}}{{end}}{{if .Games}}{{if or .Hashed $i}}
	UNION ALL{{end}}
	SELECT {{.Number}} AS view, game_id, hash(game, coalesce(start_position, ''), left(hex(moves), 4 * {{$.FromPly}})) AS sight, -1 AS ply FROM {{.Games}} WHERE ply_count >= {{$.FromPly}}{{end}}{{end}}
), shared AS MATERIALIZED (
	SELECT DISTINCT view, game_id, sight, ply FROM sights JOIN (SELECT view, sight, ply FROM sights GROUP BY ALL HAVING min(game_id) < max(game_id)) USING (view, sight, ply)
), passed(view, game_id, head) AS (
	-- the least game of those that share a position, passed on until no game learns of a lesser one
	SELECT DISTINCT view, game_id, game_id FROM shared
	UNION ALL
	SELECT view, game_id, head
	FROM (
		SELECT *, bool_or(head < before) OVER () AS moved
		FROM (
			SELECT view, game_id, before, min(least) AS head
			FROM (SELECT view, game_id, head AS before, min(head) OVER (PARTITION BY view, sight, ply) AS least FROM shared JOIN passed USING (view, game_id))
			GROUP BY ALL))
	WHERE moved
), heads AS (
	-- the least game of those that a game hangs together with: its side decides
	SELECT view, game_id, min(head) AS head FROM passed GROUP BY ALL
){{end}}
{{- end -}}
{{define "side"}}(SELECT game_id FROM (SELECT DISTINCT game_id FROM {{.View}}){{if .Known}} LEFT JOIN (SELECT game_id, head FROM heads WHERE view = {{.Number}}) USING (game_id){{end}}
		WHERE {{if .Train}}NOT {{end}}held_out({{if .Known}}coalesce(head, game_id){{else}}game_id{{end}}, {{.Share}}, seed := {{.Seed}})){{end -}}
