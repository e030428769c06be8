{{- /* data: querySQL in sql.go */ -}}
{{define "bin"}}CASE WHEN {{.Value}} > {{decided}} THEN 2147483647 WHEN {{.Value}} < -{{decided}} THEN -2147483647
				ELSE floor({{.Value}}::DOUBLE / {{.Bin}} + 0.5)::INTEGER END AS bin{{end -}}
{{define "holds"}}{{range .Curves}}{{if .SQL}},
				({{.SQL}}
				) AS holds{{.Index}}{{end}}{{end}}{{end -}}
{{define "by_game"}}WITH by_game AS MATERIALIZED (
{{- range $s, $source := .Sources}}{{if $s}}
	UNION ALL{{end}}
{{- if .Dedup}}
	SELECT {{$s}} AS source, game_id, bin{{range .Curves}},
		coalesce(sum(first_wins){{.Filter}}, 0)::INTEGER AS wins{{.Index}}, coalesce(sum(draws){{.Filter}}, 0)::INTEGER AS draws{{.Index}},
		coalesce(sum(second_wins){{.Filter}}, 0)::INTEGER AS losses{{.Index}}, coalesce(sum(occurrences - first_wins - draws - second_wins){{.Filter}}, 0)::INTEGER AS unfinished{{.Index}}{{end}}
	FROM (SELECT game_id, first_wins, draws, second_wins, occurrences, {{template "bin" .}}{{template "holds" .}}
			FROM {{.View}})
	GROUP BY game_id, bin
{{- else}}
	SELECT {{$s}} AS source, game_id, bin{{range .Curves}},
		CASE outcome WHEN 1 THEN n{{.Index}} ELSE 0 END AS wins{{.Index}}, CASE outcome WHEN 0 THEN n{{.Index}} ELSE 0 END AS draws{{.Index}},
		CASE outcome WHEN -1 THEN n{{.Index}} ELSE 0 END AS losses{{.Index}}, CASE outcome WHEN 2 THEN n{{.Index}} ELSE 0 END AS unfinished{{.Index}}{{end}}
	FROM (
		SELECT game_id, bin, outcome{{range .Curves}}, count(*){{.Filter}}::INTEGER AS n{{.Index}}{{end}}
		FROM (SELECT game_id, {{template "bin" .}},
				CASE result WHEN 'first' THEN 1 WHEN 'second' THEN -1 WHEN 'draw' THEN 0 ELSE 2 END::TINYINT AS outcome{{template "holds" .}}
			FROM {{.View}})
		GROUP BY game_id, bin, outcome)
{{- end}}{{end}}
){{end}}
{{define "by_curve"}}, by_curve AS (
{{- range $i, $c := .Curves}}{{if $i}}
	UNION ALL{{end}}
	SELECT source, {{.Index}} AS curve, bin, {{if $.Players.On}}game_id, {{end}}wins{{.Index}} AS wins, draws{{.Index}} AS draws, losses{{.Index}} AS losses, unfinished{{.Index}} AS unfinished
	FROM by_game{{if .SQL}} WHERE wins{{.Index}} + draws{{.Index}} + losses{{.Index}} + unfinished{{.Index}} > 0{{end}}{{end}}
)
{{- end}}
{{define "estimates"}}df + 1 AS effective_games, p AS win_probability, sqrt(nullif(variance, 0)) AS se, share_t(p, variance, t, df + 1) AS t,
	share_low(p, variance, t, df + 1) AS low, share_high(p, variance, t, df + 1) AS high,
	wilson_low(w, positions) AS wilson_low, wilson_high(w, positions) AS wilson_high{{end -}}
{{define "lines"}}source, curve, bin{{if .Counted}}, line{{end}}{{end -}}
{{define "variances"}}{{if .Players.On}}{{template "clusters" .Players}}, by_player AS (
	-- of a player's sum u the square, divided by one less the player's share of the positions: the
	-- shift of the share without this player
	SELECT {{template "lines" .}}, sum((factor * pow(u / (1 - least(0.99, n / positions)) / positions, 2))::DECIMAL(38, 24))::DOUBLE AS player_variance, {{.Players.Sizes "n" "positions"}} AS player_sizes
	FROM (SELECT {{template "lines" .}}, factor, positions::DOUBLE AS positions,
			c.wins + c.losses{{if .Counted}} + c.draws{{end}} AS n, c.wins{{if .Counted}} + s * c.draws{{end}} - w / positions * n AS u
		FROM (SELECT source, curve, bin, cluster, factor, sum(wins)::DOUBLE AS wins, sum(draws)::DOUBLE AS draws, sum(losses)::DOUBLE AS losses
			FROM by_curve JOIN clusters ON contest = source AND clusters.game_id = by_curve.game_id GROUP BY ALL) c
			JOIN scores USING (source, curve, bin) WHERE positions > 0) c
	GROUP BY ALL
), {{end}}variances AS (
	SELECT *, w / nullif(positions, 0) AS p,
		greatest(0, ww - 2 * p * wn + p * p * nn) / (nullif(positions, 0)::DOUBLE * positions) / nullif(kept_share(positions, nn, nnn), 0) AS game_variance,
		cluster_degrees(positions, nn, nnn, nnnn) AS df,
		{{.Players.Widest "game_variance" "player_variance" "player_sizes" "df" "variance" "t"}}
	FROM scores{{if .Players.On}} LEFT JOIN by_player USING ({{template "lines" .}}){{end}}
)
{{- end -}}
{{define "names"}}names(source, curve, source_name, curve_name) AS (
	VALUES {{range $s, $source := .Sources}}{{range $i, $c := $.Curves}}{{if or $s $i}}, {{end}}({{$s}}, {{.Index}}, {{$source.Quoted}}, {{.Quoted}}){{end}}{{end}}
)
{{- end -}}
