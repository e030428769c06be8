{{- /* data: Players in clusters.go */ -}}
{{define "players" -}}
{{if .Aliases}}aliases(name, same_as) AS (
	VALUES {{range $i, $a := .Aliases}}{{if $i}},
		{{end}}({{.Name}}, {{.SameAs}}){{end}}
), {{end}}named_games AS MATERIALIZED (
	-- of each contest the games with both players' names
{{- range $i, $s := .Sources}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{.Index}} AS contest, game_id, {{if $.Aliases}}coalesce(a.same_as, first_player) AS one, coalesce(b.same_as, second_player) AS other{{else}}first_player AS one, second_player AS other{{end}}
	FROM {{.Games}}{{if $.Aliases}} LEFT JOIN aliases a ON a.name = first_player LEFT JOIN aliases b ON b.name = second_player{{end}}
	WHERE first_player <> '' AND second_player <> ''{{if ne .Games .View}} AND game_id IN (SELECT game_id FROM {{.View}}){{end}}{{end}}
), player_games AS MATERIALIZED (
	-- who is in more than a fifth of the games is no cluster: his opponents are
	SELECT *, n > {{.Frequent}} * (SELECT count(*) FROM named_games g WHERE g.contest = p.contest) AS often
	FROM (SELECT contest, player, count(*) AS n FROM (SELECT contest, unnest(list_distinct([one, other])) AS player FROM named_games) GROUP BY ALL) p
), enough_players AS (
	SELECT contest, count(*) AS players, sum(n) * sum(n) / sum(n * n)::DOUBLE AS effective
	FROM player_games WHERE NOT often GROUP BY contest HAVING effective >= {{.Least}}
)
{{- end}}
{{define "clusters" -}}
{{template "players" .}}, nodes AS (
	SELECT g.contest, game_id, CASE WHEN NOT p.often THEN one END AS one, CASE WHEN NOT q.often AND other <> one THEN other END AS other
	FROM named_games g JOIN enough_players USING (contest)
		JOIN player_games p ON p.contest = g.contest AND p.player = one JOIN player_games q ON q.contest = g.contest AND q.player = other
), clusters AS MATERIALIZED (
	-- games that share a player depend on each other: the sum of the squares of players' sums
	-- has games of the same two twice, so that those of pairs come off
	SELECT contest, game_id, hash(one) AS cluster, 1 AS sign FROM nodes WHERE one IS NOT NULL
	UNION ALL
	SELECT contest, game_id, hash(other), 1 FROM nodes WHERE other IS NOT NULL
	UNION ALL
	SELECT contest, game_id, hash(least(one, other), greatest(one, other)), -1 FROM nodes WHERE one IS NOT NULL AND other IS NOT NULL
	UNION ALL
	SELECT contest, game_id, hash(game_id), 1 FROM nodes WHERE one IS NULL AND other IS NULL
)
{{- end -}}
