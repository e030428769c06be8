{{- /* data: Data in mistakes.go */ -}}
{{- define "lost"}}count(*) AS mistakes, {{if .Positions}}count(*) FILTER (same > 1){{else}}NULL::BIGINT{{end}} AS repeated, sum(cost::DECIMAL(18, 6))::DOUBLE AS cost, arg_max((game_id, ply), (cost, -game_id, -ply)) AS of{{end}}
{{- define "texts"}}if(d.first_to_move, g.first_player, g.second_player) AS player, if(d.first_to_move, g.first_elo, g.second_elo)::INTEGER AS elo, g.opening, stretch_name(stretch, {{.Pairs}}) AS moves,
		CASE{{range .Clocks}} WHEN d.clock_ms >= {{.From}}000 THEN '{{.Name}}'{{end}} END AS clock{{end -}}
/* Moves that lost value, and positions in which a model of the opponent errs. To run it: kifu query, with
   the datasets named as in FROM.

   The cost of a move is {{if .Choices}}the value of the best move minus its own, by one search,{{else}}the fall in value that it causes{{end}} from the mover's side; values beyond
   ±{{.Cap}} count as ±{{.Cap}}. A mistake costs {{.Least}} or more.

   mistake    a move that lost value in a position: how often it was made there, how often the position was
              reached (moves), the mean cost, and one of its games. stronger: the move that players of a higher rating
              choose there most often, stronger_n of stronger_of times
   player, opening, phase, moves (move number), clock (time left), motif (of the reply)
              moves, mistakes, mistakes that any player also made at another time in the same position (repeated),
              the total cost of the mistakes, and game and ply of the costliest
{{- if .Model.View}}
   trap       Jansen (1990): the model's favourite costs {{.Least}} or more; the model values every other move {{.Least}} or more lower
   swindle    the only move that does not lose {{.Least}} or more is valued {{.Least}} or more below the model's favourite
   other      the favourite costs {{.Least}} or more, but is neither. cost: mean over equal favourites
   model      the moves played in positions of each kind, and in all others (none)
{{- end}} */
WITH {{if .Choices}}choice AS (
	SELECT c.game_id, c.ply, c.move, c.played, {{if .Phase}}c.phase{{else}}c.ply // 20 * 20{{end}} AS phase, c.first_to_move,
		greatest(-{{.Cap}}, least({{.Cap}}, if(c.first_to_move, 1, -1) * c.{{.Column}}::DOUBLE)) AS v{{if .Model.View}}, if(c.first_to_move, 1, -1) * m.{{.Model.Column}}::DOUBLE AS w
	FROM {{.Choices}} c JOIN {{.Model.View}} m USING (game_id, ply, move){{else}} FROM {{.Choices}} c{{end}}
), ranked AS (
	-- equals in the order of their texts
	SELECT *, max(v) OVER decision AS best, first_value(move) OVER (decision ORDER BY v DESC, move) AS better, nth_value(v, 2) OVER (decision ORDER BY v DESC, move ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS second
		{{- if .Model.View}}, max(w) OVER decision AS top, nth_value(w, 2) OVER (decision ORDER BY w DESC, move ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS next{{end}}
	FROM choice WINDOW decision AS (PARTITION BY game_id, ply)
), cost AS (
	SELECT game_id, ply, any_value(first_to_move) AS first_to_move, any_value(phase) AS phase, any_value(better) AS better, max(move) FILTER (played) AS move, max(best - v) FILTER (played) AS cost
		{{- if .Model.View}}, avg(best - v ORDER BY move) FILTER (w = top) AS model_cost, min(move) FILTER (w = top) AS favourite,
		CASE WHEN model_cost < {{.Least}} THEN 'none' WHEN any_value(top - next) >= {{.Least}} THEN 'trap'
			WHEN any_value(best - second) >= {{.Least}} AND any_value(top) - max(w) FILTER (r.move = r.better) >= {{.Least}} THEN 'swindle' ELSE 'other' END AS kind{{end}}
	FROM ranked r GROUP BY game_id, ply
), valued AS (
	SELECT c.*, p.hash, p.clock_ms FROM cost c JOIN {{.Positions}} p USING (game_id, ply){{else}}position AS (
	{{- if .Positions}}
	SELECT game_id, ply, first_to_move, hash, move, {{if .Phase}}phase{{else}}ply // 20 * 20{{end}} AS phase, clock_ms, {{.Column}}::DOUBLE AS value, {{if .Better}}split_part({{.Better}}, ' ', 1){{else}}NULL::VARCHAR{{end}} AS better FROM {{.Positions}}{{if .Where}} WHERE game_id IN (SELECT game_id FROM {{.Games}}{{.Where}}){{end}}
	{{- else}}
	-- the records' values, without boards: which positions are the same is unknown
	SELECT game_id, ply, (ply % 2 = 0) <> second_begins(variant, start_position, '{{.SecondMark}}') AS first_to_move, hash(game_id, ply) AS hash, NULL::VARCHAR AS move, ply // 20 * 20 AS phase, clock_ms, value::DOUBLE AS value, next_value::DOUBLE AS next_value, NULL::VARCHAR AS better
	FROM (SELECT game_id, variant, start_position, generate_subscripts(evals, 1) AS ply, unnest(evals) AS value, unnest(evals[2:]) AS next_value, unnest(list_prepend(NULL, clocks_ms)) AS clock_ms FROM {{.Games}}{{.Where}}{{if .Where}} AND{{else}} WHERE{{end}} evals IS NOT NULL)
	{{- end}}
), valued AS (
	SELECT *, greatest(0, if(first_to_move, 1, -1) * (greatest(-{{.Cap}}, least({{.Cap}}, value)) - greatest(-{{.Cap}}, least({{.Cap}}, next_value)))) AS cost
	FROM position{{if .Positions}} JOIN (SELECT game_id, ply - 1 AS ply, {{.Column}}::DOUBLE AS next_value FROM {{.Positions}}) USING (game_id, ply){{end}}
	WHERE value IS NOT NULL AND next_value IS NOT NULL{{end}}
), whole AS (
	SELECT d.*, cost >= {{.Least}} AS mistake, move_stretch(d.ply) AS stretch, {{template "texts" .}}, {{if .Motifs}}coalesce(motif, 0){{else}}0{{end}} AS motifs
	FROM valued d JOIN {{.Games}} g USING (game_id){{if .Motifs}} LEFT JOIN (
		SELECT game_id, ply - 1 AS ply, 0::BIGINT{{range $i, $n := .Names}} | if({{$n}}, 1::BIGINT << {{$i}}, 0){{end}} AS motif FROM {{.Motifs}}) USING (game_id, ply){{end}}
	WHERE true{{if .Mover}} AND {{.Mover}}{{end}}{{if .Where}} AND d.game_id IN (SELECT game_id FROM {{.Games}}{{.Where}}){{end}}{{if .Only}} AND {{.Only}}{{end}}
), decision AS {{if .Positions}}MATERIALIZED {{end}}(
	-- without the texts, which are many times as large
	SELECT game_id, ply, first_to_move, hash, move, better, phase, stretch, clock_ms, cost, mistake, motifs{{if .Model.View}}, kind, favourite, model_cost{{end}} FROM whole
), sums AS MATERIALIZED (
	SELECT game_id, first_to_move, phase, stretch, CASE{{range $i, $c := .Clocks}} WHEN clock_ms >= {{.From}}000 THEN {{$i}}{{end}} END AS band, count(*) AS n FROM decision GROUP BY ALL
){{if .Names}}, replies AS MATERIALIZED (
	SELECT motifs, count(*) AS n FROM decision GROUP BY motifs
){{end}}{{if .Positions}}, place AS (
	SELECT DISTINCT hash FROM decision WHERE mistake{{if .Model.View}} OR kind <> 'none'{{end}}
), same AS MATERIALIZED (
	SELECT hash, move, count(*) AS same FROM decision JOIN place USING (hash) GROUP BY hash, move
), reached AS (
	SELECT hash, sum(same) AS reached FROM same GROUP BY hash
){{end}}, wrong AS MATERIALIZED (
	SELECT d.*, {{template "texts" .}}, {{if .Positions}}s.same, r.reached, board
	FROM decision d JOIN {{.Games}} g USING (game_id) JOIN same s ON s.hash = d.hash AND s.move IS NOT DISTINCT FROM d.move JOIN reached r ON r.hash = d.hash
		JOIN (SELECT game_id, ply, board FROM {{.Positions}}) p ON p.game_id = d.game_id AND p.ply = d.ply
	{{- else}}NULL::BIGINT AS same, NULL::BIGINT AS reached, NULL::BLOB AS board FROM decision d JOIN {{.Games}} g USING (game_id){{end}}
	WHERE mistake{{if .Model.View}} OR kind <> 'none'{{end}}
), listed AS (
	SELECT hash, move, any_value(board) AS board, any_value(better) AS better, any_value(reached) AS met, count(*) AS mistakes, sum(cost::DECIMAL(18, 6))::DOUBLE / count(*) AS mean, min((game_id, ply)) AS of FROM wrong WHERE mistake GROUP BY hash, move
	{{- if .Most}} ORDER BY mistakes * mean DESC, met DESC, of LIMIT {{.Most}}{{end}}
){{if .Positions}}, others AS (
	-- what players of a rating at least {{.Stronger}} points higher, without ratings all others, play in the position
	SELECT hash, wrong, arg_max(move, (n, move)) AS stronger, max(n) AS n, sum(n) AS of FROM (
		SELECT w.hash, w.wrong, p.move, count(*) AS n
		FROM (SELECT hash, move AS wrong, avg(elo) AS elo, list(game_id) AS own FROM wrong{{if .Most}} JOIN (SELECT hash, move FROM listed) USING (hash, move){{end}} WHERE mistake GROUP BY hash, move) w JOIN {{.Positions}} p ON p.hash = w.hash
		WHERE p.move <> '' AND if(w.elo IS NULL, NOT list_contains(own, p.game_id), if(p.first_to_move, p.first_elo, p.second_elo) >= w.elo + {{.Stronger}}) GROUP BY w.hash, w.wrong, p.move
	) GROUP BY hash, wrong
){{end}}, every AS (
	SELECT 'player' AS section, if(first_to_move, first_player, second_player) AS item, sum(n) AS moves FROM (SELECT game_id, first_to_move, sum(n) AS n FROM sums GROUP BY ALL) JOIN {{.Games}} USING (game_id) GROUP BY item
	UNION ALL SELECT 'opening', opening AS item, sum(n) FROM (SELECT game_id, sum(n) AS n FROM sums GROUP BY ALL) JOIN {{.Games}} USING (game_id) GROUP BY item
	UNION ALL SELECT 'phase', phase::VARCHAR AS item, sum(n) FROM sums GROUP BY item
	UNION ALL SELECT 'moves', stretch_name(stretch, {{.Pairs}}) AS item, sum(n) FROM sums GROUP BY item
	UNION ALL SELECT 'clock', [{{range $i, $c := .Clocks}}{{if $i}}, {{end}}'{{.Name}}'{{end}}][band + 1] AS item, sum(n) FROM sums GROUP BY item
{{- range .Names}}
	UNION ALL SELECT 'motif', '{{.}}', sum(n) FROM replies WHERE {{$.Has .}}
{{- end}}
), wrong_of AS (
	-- sums of decimals do not depend on the order
	SELECT CASE 0 WHEN grouping(player) THEN 'player' WHEN grouping(opening) THEN 'opening' WHEN grouping(phase) THEN 'phase' WHEN grouping(moves) THEN 'moves' ELSE 'clock' END AS section, coalesce(player, opening, phase::VARCHAR, moves, clock) AS item, {{template "lost" .}}
	FROM wrong WHERE mistake GROUP BY GROUPING SETS ((player), (opening), (phase), (moves), (clock))
	{{- range .Names}}
	UNION ALL SELECT 'motif', '{{.}}', {{template "lost" $}} FROM wrong WHERE mistake AND {{$.Has .}}
	{{- end}}
), facts AS (
	SELECT 'mistake' AS section, NULL::VARCHAR AS item, fen(board, {{.Quoted}}) AS position, san(board, l.move, {{.Quoted}}) AS move, san(board, better, {{.Quoted}}) AS better, met AS moves, mistakes, NULL::BIGINT AS repeated, mean AS cost, l.of AS of,
		{{if .Positions}}san(board, stronger, {{.Quoted}}) AS stronger, o.n AS stronger_n, o.of AS stronger_of
	FROM listed l LEFT JOIN others o ON o.hash = l.hash AND o.wrong = l.move{{else}}NULL::VARCHAR AS stronger, NULL::BIGINT AS stronger_n, NULL::BIGINT AS stronger_of
	FROM listed l{{end}}
	UNION ALL
	SELECT section, item, NULL, NULL, NULL, moves, coalesce(mistakes, 0), {{if .Positions}}coalesce(repeated, 0){{else}}repeated{{end}}, cost, of, NULL, NULL, NULL FROM every LEFT JOIN wrong_of USING (section, item) WHERE item <> '' AND moves > 0
{{- if .Model.View}}
	UNION ALL
	SELECT kind, NULL, any_value(fen(board, {{.Quoted}})), any_value(san(board, favourite, {{.Quoted}})), any_value(san(board, better, {{.Quoted}})), count(*), count(*) FILTER (mistake), NULL, any_value(model_cost), min((game_id, ply)), NULL, NULL, NULL
	FROM wrong WHERE kind <> 'none' GROUP BY kind, hash
	UNION ALL
	SELECT 'model', kind, NULL, NULL, NULL, count(*), count(*) FILTER (mistake), NULL, sum(cost ORDER BY game_id, ply) FILTER (mistake), NULL, NULL, NULL, NULL FROM decision GROUP BY kind
{{- end}}
)
SELECT section, item, position, move, better, moves::BIGINT AS moves, mistakes::BIGINT AS mistakes, repeated::BIGINT AS repeated, cost, of[1]::BIGINT AS game_id, of[2]::BIGINT AS ply, stronger, stronger_n::BIGINT AS stronger_n, stronger_of::BIGINT AS stronger_of FROM facts
ORDER BY list_position(['mistake', 'player', 'opening', 'phase', 'moves', 'clock', 'motif', 'trap', 'swindle', 'other', 'model'], section), if(section = 'phase', item::BIGINT, 0), if(section = 'moves', regexp_extract(item, '[0-9]+')::BIGINT, 0), if(section = 'clock', list_position([{{range $i, $c := .Clocks}}{{if $i}}, {{end}}'{{$c.Name}}'{{end}}], item), 0), if(section = 'mistake', -mistakes * cost, if(section IN ('trap', 'swindle', 'other'), -cost, -mistakes)), moves DESC, item, position, move, game_id, ply
