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
	-- a player in more than half of the games is no cluster: the opponents are
	SELECT *, n > {{.Hub}} * played AS often
	FROM (SELECT *, (SELECT count(*) FROM named_games g WHERE g.contest = p.contest) AS played
		FROM (SELECT contest, player, count(*) AS n FROM (SELECT contest, unnest(list_distinct([one, other])) AS player FROM named_games) GROUP BY ALL) p)
), enough_players AS (
	-- of few players each is left out in turn (jackknife), and no sums of pairs come off
	SELECT contest, players, effective, effective >= {{.Many}} AS paired,
		CASE WHEN paired THEN 1 ELSE (players - 1) / players END::DOUBLE AS factor
	FROM (SELECT contest, count(*) AS players, sum(n) * sum(n) / sum(n * n)::DOUBLE AS effective
		FROM player_games WHERE NOT often GROUP BY contest)
	WHERE players >= {{.Least}}
)
{{- end}}
{{define "known" -}}
known_players AS (
	-- who is in too many games to be a cluster, and the first few of all, by name
	SELECT contest, coalesce(players, 0) AS players, coalesce(effective, 0) AS effective, hubs, everybody
	FROM (SELECT contest, coalesce(string_agg(player, chr(10) ORDER BY player) FILTER (often), '') AS hubs,
			array_to_string(list(player ORDER BY player)[:{{.MostNamed}}], chr(10)) AS everybody FROM player_games GROUP BY contest)
		LEFT JOIN enough_players USING (contest)
)
{{- end}}
{{define "clusters" -}}
{{template "players" .}}, nodes AS (
	SELECT g.contest, game_id, CASE WHEN NOT p.often THEN one END AS one, CASE WHEN NOT q.often AND other <> one THEN other END AS other, paired, factor
	FROM named_games g JOIN enough_players USING (contest)
		JOIN player_games p ON p.contest = g.contest AND p.player = one JOIN player_games q ON q.contest = g.contest AND q.player = other
), clusters AS MATERIALIZED (
	-- games that share a player depend on each other: the sum of the squares of players' sums
	-- counts games of the same two twice, so that sums of pairs are subtracted
	SELECT contest, game_id, hash(one) AS cluster, factor FROM nodes WHERE one IS NOT NULL
	UNION ALL
	SELECT contest, game_id, hash(other), factor FROM nodes WHERE other IS NOT NULL
	UNION ALL
	SELECT contest, game_id, hash(least(one, other), greatest(one, other)), -1 FROM nodes WHERE one IS NOT NULL AND other IS NOT NULL AND paired
	UNION ALL
	SELECT contest, game_id, hash(game_id), 1 FROM nodes WHERE one IS NULL AND other IS NULL
)
{{- end -}}
