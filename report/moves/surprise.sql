{{- /* data: surpriseSQL in boards.go */ -}}
/* Decisions that show what an order of the moves gets wrong and right: the played moves that
   it expected least, from different games, and some that were its only first choice. */
WITH {{if .Heads.On}}RECURSIVE {{template "heads" .Heads}}, {{end}}
{{- if .Order.Predicted}}decisions AS (
	SELECT game_id, ply, move, ''::VARCHAR AS first, NULL::DOUBLE AS best, probability::DOUBLE AS value, legal_moves::BIGINT AS moves, better::BIGINT AS better, equal::BIGINT AS equal, -probability::DOUBLE AS surprise, better = 0 AND equal = 1 AS expected
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
	SELECT game_id, ply, value, best, moves, better, equal, best - value AS surprise, surprise = 0 AS expected FROM {{$v}} WHERE contest = {{$.Order.Index}}{{if not $.Order.Pattern}} AND greatest(abs(value), abs(best)) <= {{decided}}{{end}}{{end}}
), {{end}}picked AS (
	SELECT * FROM (SELECT false AS expected, game_id, max(surprise) AS surprise FROM decisions WHERE surprise > {{.Above}} GROUP BY game_id ORDER BY surprise DESC, game_id LIMIT {{.Least}})
	UNION ALL
	-- in no order that the values know of
	SELECT * FROM (SELECT DISTINCT true, game_id, NULL FROM decisions WHERE expected ORDER BY (game_id % 4294967296)::UBIGINT * 2654435761 % 4294967296, game_id LIMIT {{.Most}})
), chosen AS MATERIALIZED (
	SELECT p.expected, d.* EXCLUDE (expected) FROM picked p JOIN decisions d ON d.game_id = p.game_id AND if(p.expected, d.expected, d.surprise = p.surprise)
	QUALIFY row_number() OVER (PARTITION BY p.expected, d.game_id ORDER BY d.moves DESC, d.ply) = 1
)
SELECT c.expected, c.game_id, c.ply, {{if .Order.Predicted}}c{{else}}o{{end}}.move, first, c.value, c.best, c.moves, c.better, c.equal, c.surprise,
	g.variant, g.start_position, g.moves AS codes, g.first_player, g.second_player, g.date, g.result
FROM chosen c{{if not .Order.Predicted}}
	JOIN (SELECT game_id, ply, max(options.move) FILTER (played) AS move, min(options.move) FILTER (options.value = best) AS first FROM options JOIN chosen USING (game_id, ply) GROUP BY game_id, ply) o USING (game_id, ply){{end}}
	JOIN {{.Games}} g ON g.game_id = c.game_id
ORDER BY c.expected, c.surprise DESC, c.game_id, c.ply
