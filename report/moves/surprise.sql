{{- /* data: surpriseSQL in boards.go */ -}}
/* Decisions that show what an order of the moves gets wrong and right: the played moves that
   it expected least, from different games, and some that were its only first choice. */
WITH {{if .Heads.On}}RECURSIVE {{template "heads" .Heads}}, {{end}}
{{- if .Order.Predicted}}decisions AS (
	SELECT game_id, ply, move, ''::VARCHAR AS first, NULL::DOUBLE AS best, probability::DOUBLE AS value, legal_moves::BIGINT AS moves, better::BIGINT AS better, equal::BIGINT AS equal, -probability::DOUBLE AS surprise
	FROM {{.Order.View}} WHERE legal_moves > 1
), {{else}}{{if .Order.Pattern}}rates AS (
	SELECT pattern, (times + overall) / (available + 1) AS rate, overall
	FROM (SELECT *, sum(times) OVER () / sum(available) OVER () AS overall
		FROM (SELECT ({{.Order.Pattern}}
				) AS pattern, count(*) FILTER (played) AS times, count(*) AS available
			FROM {{.Order.View}} WHERE game_id IN {{template "side" (.Heads.Train .Order.View)}}
			GROUP BY pattern))
), {{end}}options AS (
	SELECT game_id, ply, move, played, {{if .Order.Pattern}}coalesce(rate, (SELECT any_value(overall) FROM rates)){{else}}CASE WHEN first_to_move THEN 1 ELSE -1 END * {{.Order.Value}}::DOUBLE{{end}} AS value
	FROM {{.Order.View}}{{if .Order.Pattern}} LEFT JOIN rates ON pattern IS NOT DISTINCT FROM ({{.Order.Pattern}}
		){{end}}
), decisions AS (
{{- range $i, $v := .Found}}{{if $i}}
	UNION ALL{{end}}
	SELECT game_id, ply, value, best, moves, better, equal, best - value AS surprise FROM {{$v}} WHERE contest = {{$.Order.Index}}{{if not $.Order.Pattern}} AND greatest(abs(value), abs(best)) <= {{decided}}{{end}}{{end}}
), {{end}}least AS (
	SELECT false AS expected, unnest(list(k ORDER BY k.surprise DESC, k.game_id)[:{{.Least}}]) AS k
	FROM (SELECT max(struct_pack(surprise := surprise, moves := moves, game_id := game_id, ply := -ply)) AS k FROM decisions WHERE surprise > {{.Above}} GROUP BY game_id)
), most AS (
	-- in no order that the values know of
	SELECT true AS expected, unnest(list(k ORDER BY (k.game_id % 4294967296)::UBIGINT * 2654435761 % 4294967296)[:{{.Most}}]) AS k
	FROM (SELECT max(struct_pack(moves := moves, game_id := game_id, ply := -ply)) AS k FROM decisions WHERE {{if .Order.Predicted}}better = 0 AND equal = 1{{else}}surprise = 0{{end}} GROUP BY game_id)
), chosen AS (
	SELECT expected, k.game_id AS game_id, -k.ply AS ply FROM least UNION ALL SELECT expected, k.game_id, -k.ply FROM most
)
SELECT c.expected, c.game_id, c.ply, {{if .Order.Predicted}}d.move, d.first{{else}}o.move, o.first{{end}}, d.value, d.best, d.moves, d.better, d.equal, d.surprise,
	g.variant, g.start_position, g.moves AS codes, g.first_player, g.second_player, g.date, g.result
FROM chosen c JOIN decisions d USING (game_id, ply){{if not .Order.Predicted}}
	JOIN (SELECT game_id, ply, max(move) FILTER (played) AS move, min(move) FILTER (options.value = best) AS first
		FROM options JOIN chosen USING (game_id, ply) JOIN decisions USING (game_id, ply) GROUP BY game_id, ply) o USING (game_id, ply){{end}}
	JOIN {{.Games}} g ON g.game_id = c.game_id
ORDER BY c.expected, d.surprise DESC, c.game_id, c.ply
