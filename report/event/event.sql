{{- /* data: querySQL in event.go */ -}}
/* The moves of players, one row per move. To run it: kifu query, with the games named as in FROM. The report computes the same rows game by
   game. It uses those up to the first event of a side, with the means of loss and spent over the side's next moves.

   value is the value of the position before the move for the mover, in hundredths; loss is what the move loses of it. Values beyond ±{{.Most}}
   count as ±{{.Most}}. clock is the mover's time before the move, spent the time used, in seconds.{{if .Lost}} lost_before counts the
   games that the player lost earlier on the same day.{{end}} score is the mover's points. */
WITH sides AS (
	{{- if .Lost}}
	SELECT *, count(*) FILTER (score = 0) OVER (PARTITION BY player, date ORDER BY game_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS lost_before
	FROM (
	{{- end}}
		SELECT game_id, date, evals, clocks_ms, moves, coalesce(increment_ms, 0) AS increment_ms, if(second_begins(variant, start_position, '{{.SecondMark}}'), 2, 1) AS start, 1 AS sign, first_player AS player, second_player AS opponent,
			first_elo::INTEGER AS rating, second_elo::INTEGER AS opponent_rating, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 WHEN 'second' THEN 0 END::DOUBLE AS score
		FROM {{.Games}} WHERE first_player <> ''
		UNION ALL
		SELECT game_id, date, evals, clocks_ms, moves, coalesce(increment_ms, 0), if(second_begins(variant, start_position, '{{.SecondMark}}'), 1, 2), -1, second_player, first_player,
			second_elo::INTEGER, first_elo::INTEGER, CASE result WHEN 'second' THEN 1 WHEN 'draw' THEN 0.5 WHEN 'first' THEN 0 END::DOUBLE
		FROM {{.Games}} WHERE second_player <> ''
	{{- if .Lost}}
	)
	{{- end}}
), moves AS (
	SELECT * EXCLUDE (evals, clocks_ms, increment_ms, before, after, start), before::DOUBLE AS value,
		CASE WHEN before IS NOT NULL AND after IS NOT NULL THEN greatest(0, before - after) END::DOUBLE AS loss, (ply + 1) // 2 AS move
	FROM (
		SELECT *, CASE WHEN evals[ply - 1] IS NOT NULL THEN greatest(-{{.Most}}, least({{.Most}}, sign * evals[ply - 1])) END AS before,
			CASE WHEN evals[ply] IS NOT NULL THEN greatest(-{{.Most}}, least({{.Most}}, sign * evals[ply])) END AS after,
			CASE WHEN ply > 2 THEN clocks_ms[ply - 2] / 1000.0 END::DOUBLE AS clock,
			CASE WHEN ply > 2 AND clocks_ms[ply - 2] IS NOT NULL AND clocks_ms[ply] IS NOT NULL THEN greatest(0, clocks_ms[ply - 2] - clocks_ms[ply] + increment_ms) / 1000.0 END::DOUBLE AS spent
		FROM (
			-- a list of the game's plies, whichever there is: that of moves has two bytes a ply
			SELECT * EXCLUDE moves, start + 2 * (generate_subscripts(coalesce(evals, clocks_ms, list_transform(regexp_extract_all(hex(moves), '.{4}'), m -> 0))[start:-:2], 1) - 1) AS ply FROM sides)
	)
)
SELECT game_id, sign, player, score, value, loss, clock, spent, move, rating, opponent_rating,
	coalesce(({{.When}}
		), false) AS event
FROM moves
