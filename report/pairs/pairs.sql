{{- /* data: Games of report/sheet */ -}}
/* Who played whom: one row a pair of players, who of them moved first, and difference of
   their ratings, with the results from the side of the first. kifu query runs it with the
   datasets under the names of FROM.

   Games without a result or without a player's name are left out. What is expected of a
   pair, tests and three-cycles are computed by kifu from these rows. */
WITH {{if .Aliases}}aliases(name, same_as) AS (
	VALUES {{range $i, $a := .Aliases}}{{if $i}},
		{{end}}({{$a.Name}}, {{$a.SameAs}}){{end}}
), {{end}}game_rows AS (
{{- range $i, $v := .Views}}{{if $i}}
	UNION ALL{{end}}
	SELECT first_player, second_player, first_elo, second_elo, result FROM {{$v}}{{end}}
), named_rows AS (
	SELECT {{if .Aliases}}coalesce(a.same_as, first_player) AS first_player, coalesce(b.same_as, second_player) AS second_player{{else}}first_player, second_player{{end}},
		first_elo::INTEGER - second_elo::INTEGER AS difference, result
	FROM game_rows{{if .Aliases}} LEFT JOIN aliases a ON a.name = first_player LEFT JOIN aliases b ON b.name = second_player{{end}}
	WHERE result IS NOT NULL AND first_player IS NOT NULL AND second_player IS NOT NULL
)
SELECT first_player, second_player, difference, count(*) AS games,
	count(*) FILTER (result = 'first') AS wins, count(*) FILTER (result = 'draw') AS draws, count(*) FILTER (result = 'second') AS losses
FROM named_rows WHERE first_player <> second_player
GROUP BY first_player, second_player, difference
ORDER BY first_player, second_player, difference
