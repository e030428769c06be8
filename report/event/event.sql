{{- /* data: querySQL in event.go */ -}}
/* The moves of players with what follows them, up to the first event of a player in a game: one row a move, in order of games,
   players and plies. kifu query runs it with the games under the name of FROM.

   value is what the position before the move is worth to the mover, in hundredths, and loss what the move loses of it, values beyond ±1000
   counting as that. clock is the mover's seconds before the move and spent those that it took. lost_before counts the
   games that the player lost earlier on the same day. score is the mover's points; next_loss and next_spent are means of the player's next {{.Next}} moves.
   cell has the bands in which moves are compared. */
WITH sides AS (
	SELECT *, count(*) FILTER (score = 0) OVER (PARTITION BY player, date ORDER BY game_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS lost_before
	FROM (
		SELECT game_id, date, evals, clocks_ms, coalesce(increment_ms, 0) AS increment_ms, ply_count, 1 AS start, 1 AS sign, first_player AS player, second_player AS opponent,
			first_elo::INTEGER AS rating, second_elo::INTEGER AS opponent_rating, CASE result WHEN 'first' THEN 1 WHEN 'draw' THEN 0.5 WHEN 'second' THEN 0 END::DOUBLE AS score
		FROM {{.Games}} WHERE start_position IS NULL
		UNION ALL
		SELECT game_id, date, evals, clocks_ms, coalesce(increment_ms, 0), ply_count, 2, -1, second_player, first_player,
			second_elo::INTEGER, first_elo::INTEGER, CASE result WHEN 'second' THEN 1 WHEN 'draw' THEN 0.5 WHEN 'first' THEN 0 END::DOUBLE
		FROM {{.Games}} WHERE start_position IS NULL
	) WHERE player <> ''
), moves AS (
	SELECT * EXCLUDE (evals, clocks_ms, increment_ms, before, after, start), before::DOUBLE AS value,
		CASE WHEN before IS NOT NULL AND after IS NOT NULL THEN greatest(0, before - after) END::DOUBLE AS loss, (ply + 1) // 2 AS move
	FROM (
		SELECT *, CASE WHEN evals[ply - 1] IS NOT NULL THEN greatest(-1000, least(1000, sign * evals[ply - 1])) END AS before,
			CASE WHEN evals[ply] IS NOT NULL THEN greatest(-1000, least(1000, sign * evals[ply])) END AS after,
			CASE WHEN ply > 2 THEN clocks_ms[ply - 2] / 1000.0 END::DOUBLE AS clock,
			CASE WHEN ply > 2 AND clocks_ms[ply - 2] IS NOT NULL AND clocks_ms[ply] IS NOT NULL THEN greatest(0, clocks_ms[ply - 2] - clocks_ms[ply] + increment_ms) / 1000.0 END::DOUBLE AS spent
		FROM (SELECT *, unnest(range(start, ply_count + 1, 2)) AS ply FROM sides)
	)
), marked AS (
	SELECT game_id, sign, ply, loss, spent, score, coalesce(({{.When}}
		), false) AS event, (hash(player) >> 1)::BIGINT AS player, {{.Known}} AS known,
		(hash({{range $i, $b := .Match}}{{if $i}}, {{end}}{{$b}}{{end}}) >> 1)::BIGINT AS cell{{range $i, $b := .By}}, ({{$b}})::VARCHAR AS by{{$i}}{{end}}
	FROM moves
), followed AS (
	SELECT *, avg(loss) OVER later AS next_loss, avg(spent) OVER later AS next_spent, coalesce(sum(event::INTEGER) OVER earlier, 0) AS events
	FROM marked WINDOW later AS (PARTITION BY game_id, sign ORDER BY ply ROWS BETWEEN 1 FOLLOWING AND {{.Next}} FOLLOWING),
		earlier AS (PARTITION BY game_id, sign ORDER BY ply ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT game_id, player, event, score, next_loss, next_spent, cell{{range $i, $b := .By}}, by{{$i}}{{end}}
FROM followed WHERE events = 0 AND known ORDER BY game_id, sign, ply
