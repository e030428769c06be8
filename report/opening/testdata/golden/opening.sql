/* The openings of a database: one row per move played in a position within the first
   4 plies, in at least 4 games. A position is its ply and hash, so lines that
   transpose at equal length are merged. To run it: kifu query, with the datasets named as
   in FROM.

   score, performance and the ratings are for the side that moves; a draw is half a win.
   performance is the opponents' mean rating plus the Elo difference for the score in rated
   games (rated: their number; none below 10), at most 800. Values are from the first player's side:
   value of the position after the move, unplayed_value after the best move that no game
   has here (unplayed). */
WITH opening_rows AS MATERIALIZED (
	SELECT game_id, ply, first_to_move, result, first_elo, second_elo, "quiescence_value"::DOUBLE AS value, hash, move, move AS class
	FROM main."labels" WHERE ply <= 4
), opening_moves AS (
	SELECT a.ply, a.hash, a.move, a.class, b.hash AS child, a.first_to_move, a.game_id, b.value, a.value AS parent_value,
		CASE WHEN a.result = 'draw' THEN 0.5 WHEN a.result IS NOT NULL THEN ((a.result = 'first') = a.first_to_move)::INTEGER END::DOUBLE AS points,
		if(a.first_to_move, a.first_elo, a.second_elo) AS own, if(a.first_to_move, a.second_elo, a.first_elo) AS other
	FROM opening_rows a JOIN opening_rows b ON b.game_id = a.game_id AND b.ply = a.ply + 1
), played_moves AS (
	SELECT ply, hash, move, class, child, first_to_move, count(*) AS games,
		count(*) FILTER (points = 1) AS wins, count(*) FILTER (points = 0.5) AS draws, count(*) FILTER (points = 0) AS losses,
		avg(points) AS score, avg(own) AS rating, avg(other) FILTER (points IS NOT NULL) AS opposition,
		avg(points) FILTER (other IS NOT NULL) AS rated_score, count(*) FILTER (points IS NOT NULL AND other IS NOT NULL) AS rated, max(value) AS value, max(parent_value) AS parent_value, NULL::VARCHAR AS last_date, NULL::DOUBLE AS mean_year
	FROM opening_moves
	GROUP BY ply, hash, move, class, child, first_to_move
), move_values AS (
	SELECT r.ply, r.hash, r.first_to_move, c.move AS class, max(c."quiescence_value")::DOUBLE AS value
	FROM main."choices" c JOIN opening_rows r USING (game_id, ply)
	WHERE r.ply < 4 GROUP BY ALL
), best_unplayed AS (
	SELECT ply, hash, arg_max(class, (if(first_to_move, value, -value), class)) AS unplayed, arg_max(value, (if(first_to_move, value, -value), class)) AS unplayed_value
	FROM move_values ANTI JOIN played_moves USING (ply, hash, class) GROUP BY ply, hash
)
SELECT ply, hash, child, first_to_move, move, games, games / sum(games) OVER (PARTITION BY ply, hash)::DOUBLE AS share,
	wins, draws, losses, score, rating,
	CASE WHEN rated >= 10 THEN opposition + greatest(-800, least(800, CASE WHEN rated_score <= 0 THEN -800 WHEN rated_score >= 1 THEN 800 ELSE -400 * log10(1 / rated_score - 1) END)) END AS performance, rated,
	last_date, mean_year, value, parent_value, unplayed, unplayed_value
FROM played_moves LEFT JOIN best_unplayed USING (ply, hash)
QUALIFY games >= 4
ORDER BY ply, hash, games DESC, move
