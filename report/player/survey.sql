{{- /* data: querySQL in player.go */ -}}
/* What a player's games contain: spellings of the name, values, clocks by time control
   (in games whose clocks change), and games of the player against itself. */
WITH played AS (
	SELECT first_player AS spelling, evals, clocks_ms, base_ms, increment_ms, time_control FROM {{.Games}} WHERE first_player IN ({{range $i, $n := .Names}}{{if $i}}, {{end}}{{$n}}{{end}}){{if .Against}} AND second_player IN ({{range $i, $n := .Against}}{{if $i}}, {{end}}{{$n}}{{end}}){{end}}
	UNION ALL
	SELECT second_player, evals, clocks_ms, base_ms, increment_ms, time_control FROM {{.Games}} WHERE second_player IN ({{range $i, $n := .Names}}{{if $i}}, {{end}}{{$n}}{{end}}){{if .Against}} AND first_player IN ({{range $i, $n := .Against}}{{if $i}}, {{end}}{{$n}}{{end}}){{end}}
)
SELECT 'name' AS what, spelling AS item, count(*) AS games, NULL::BIGINT AS base_ms, NULL::BIGINT AS increment_ms FROM played GROUP BY spelling
UNION ALL
SELECT 'evals', NULL, count(*) FILTER (evals IS NOT NULL), NULL, NULL FROM played
UNION ALL
SELECT 'itself', NULL, count(*), NULL, NULL FROM {{.Games}} WHERE first_player IN ({{range $i, $n := .Names}}{{if $i}}, {{end}}{{$n}}{{end}}) AND second_player IN ({{range $i, $n := .Names}}{{if $i}}, {{end}}{{$n}}{{end}})
UNION ALL
SELECT * FROM (
	SELECT 'clocks', any_value(time_control ORDER BY time_control), count(*) AS games, base_ms::BIGINT, increment_ms::BIGINT FROM played
	WHERE list_min(clocks_ms) < list_max(clocks_ms) AND base_ms IS NOT NULL AND increment_ms IS NOT NULL GROUP BY base_ms, increment_ms ORDER BY games DESC, base_ms, increment_ms LIMIT 1)
ORDER BY what, games DESC, item
