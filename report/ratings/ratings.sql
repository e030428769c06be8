{{- /* data: Games of report/sheet */ -}}
/* Who played whom with what result: one row per pair of players, per player who moved
   first, and per opening. To run it: kifu query, with the datasets named as in FROM.

   Games without a result or a player's name are skipped. kifu computes the ratings from
   these rows. */
WITH {{if .Aliases}}aliases(name, same_as) AS (
	VALUES {{range $i, $a := .Aliases}}{{if $i}},
		{{end}}({{$a.Name}}, {{$a.SameAs}}){{end}}
), {{end}}game_rows AS (
{{- range $i, $v := .Views}}{{if $i}}
	UNION ALL{{end}}
	SELECT first_player, second_player, opening, variant, result FROM {{$v}}{{end}}
), named_rows AS (
	SELECT {{if .Aliases}}coalesce(a.same_as, first_player) AS first_player, coalesce(b.same_as, second_player) AS second_player{{else}}first_player, second_player{{end}},
		opening, variant, result
	FROM game_rows{{if .Aliases}} LEFT JOIN aliases a ON a.name = first_player LEFT JOIN aliases b ON b.name = second_player{{end}}
	WHERE result IS NOT NULL AND first_player IS NOT NULL AND second_player IS NOT NULL
)
SELECT first_player, second_player, opening,
	count(*) FILTER (result = 'first') AS wins, count(*) FILTER (result = 'draw') AS draws, count(*) FILTER (result = 'second') AS losses,
	count(*) FILTER (has_handicap(variant)) AS handicaps
FROM named_rows WHERE first_player <> second_player
GROUP BY first_player, second_player, opening
ORDER BY first_player, second_player, opening
