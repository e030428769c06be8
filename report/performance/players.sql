{{- /* data: querySQL in read.go */ -}}
/* Who played the games, and by how much their ratings changed. */
SELECT game_id, first_player, second_player, first_elo::BIGINT AS first_elo, second_elo::BIGINT AS second_elo, event, date[1:4] AS year, start_position IS NULL AND NOT has_handicap(variant) AS usual
{{- if .First}}, (CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 WHEN 'second' THEN 0 END)::DOUBLE AS score,
	try_cast(replace(tags['{{.First}}RatingDiff'][1], '+', '') AS DOUBLE) AS first_change,
	try_cast(replace(tags['{{.Second}}RatingDiff'][1], '+', '') AS DOUBLE) AS second_change, contains(site, 'lichess.org') AS lichess{{end}}
FROM {{.Games}} ORDER BY game_id
