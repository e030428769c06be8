{{- /* data: querySQL in read.go */ -}}
/* Who played the games. */
SELECT game_id, first_player, second_player, first_elo::BIGINT AS first_elo, second_elo::BIGINT AS second_elo, event, date[1:4] AS year
FROM {{.Games}} ORDER BY game_id
