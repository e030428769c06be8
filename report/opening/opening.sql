{{- /* data: querySQL in opening.go */ -}}
/* The openings of a database: one row per move played in a position within the first
   {{.Depth}} plies, in at least {{.MinGames}} games. A position is its ply and hash, so lines that
   transpose at equal length are merged. To run it: kifu query, with the datasets named as
   in FROM.

   score, performance and the ratings are for the side that moves; a draw is half a win.
   performance is the opponents' mean rating plus the Elo difference for the score in rated
   games (rated: their number; none below {{.Rated}}), at most 800. Values are from the first player's side:
   value of the position after the move, unplayed_value after the best move that no game
   has here (unplayed). */
WITH {{define "rows"}}game_id, ply, first_to_move, result, first_elo, second_elo, {{if .Named}}opening_name AS opening, {{end}}{{if .Value}}{{.Value}}::DOUBLE{{else}}NULL::DOUBLE{{end}} AS value{{end}}
{{- define "chosen"}}FROM {{.View}} WHERE ply <= {{.Depth}}{{.Chosen}}{{end}}
{{- if .Merged}}raw_rows AS MATERIALIZED (
	SELECT {{template "rows" .}}, hash, move, board, canonical(board) AS form
	{{template "chosen" .}}
), forms AS (
	SELECT ply, form, hash, arg_min(board, game_id) AS board, count(*) AS n FROM raw_rows GROUP BY ply, form, hash
), shown_forms AS MATERIALIZED (
	-- mirror images and rotations are one position: it is shown as most games have it
	SELECT ply, form, arg_max(hash, (n, hash)) AS shown, arg_max(board, (n, hash)) AS shown_board FROM forms GROUP BY ply, form HAVING sum(n) >= {{.MinGames}}
), turned AS MATERIALIZED (
	SELECT ply, form, hash, move, n, hash = shown AS as_shown, move_as(board, move, shown_board) AS class
	FROM (SELECT ply, form, hash, move, any_value(board) AS board, count(*) AS n FROM raw_rows WHERE move <> '' GROUP BY ply, form, hash, move) JOIN shown_forms USING (ply, form)
), texts AS (
	SELECT ply, form, class, arg_max(move, (n, move)) AS text FROM turned WHERE as_shown GROUP BY ply, form, class
), opening_rows AS MATERIALIZED (
	SELECT r.* EXCLUDE (hash, move, board, form), coalesce(shown, r.hash) AS hash, coalesce(text, t.class, r.move) AS move, coalesce(t.class, r.move) AS class, r.board AS own_board, coalesce(shown_board, r.board) AS board
	FROM raw_rows r LEFT JOIN shown_forms s ON s.ply = r.ply AND s.form = r.form LEFT JOIN turned t ON t.ply = r.ply AND t.form = r.form AND t.hash = r.hash AND t.move = r.move
		LEFT JOIN texts x ON x.ply = r.ply AND x.form = r.form AND x.class = t.class
{{- else}}opening_rows AS MATERIALIZED (
	SELECT {{template "rows" .}}, hash, move, move AS class{{if .Boards}}, board{{end}}
	{{template "chosen" .}}
{{- end}}
), opening_moves AS (
	SELECT a.ply, a.hash, a.move, a.class, b.hash AS child, a.first_to_move, a.game_id, b.value, a.value AS parent_value,{{if .Named}} b.opening,{{end}}
		CASE WHEN a.result = 'draw' THEN 0.5 WHEN a.result IS NOT NULL THEN ((a.result = 'first') = a.first_to_move)::INTEGER END::DOUBLE AS points,
		if(a.first_to_move, a.first_elo, a.second_elo) AS own, if(a.first_to_move, a.second_elo, a.first_elo) AS other
	FROM opening_rows a JOIN opening_rows b ON b.game_id = a.game_id AND b.ply = a.ply + 1
), played_moves AS (
	SELECT ply, hash, move, class, child, first_to_move, count(*) AS games,
		count(*) FILTER (points = 1) AS wins, count(*) FILTER (points = 0.5) AS draws, count(*) FILTER (points = 0) AS losses,
		avg(points) AS score, avg(own) AS rating, avg(other) FILTER (points IS NOT NULL) AS opposition,
		avg(points) FILTER (other IS NOT NULL) AS rated_score, count(*) FILTER (points IS NOT NULL AND other IS NOT NULL) AS rated, max(value) AS value, max(parent_value) AS parent_value
		{{- if .Games}}, max(date) AS last_date, avg(try_cast(date[1:4] AS INTEGER)) AS mean_year{{else}}, NULL::VARCHAR AS last_date, NULL::DOUBLE AS mean_year{{end}}
	FROM opening_moves{{if .Games}} LEFT JOIN (SELECT game_id, date FROM {{.Games}}) USING (game_id){{end}}
	GROUP BY ply, hash, move, class, child, first_to_move
){{if .Named}}, opening_names AS (
	-- of names that differ the most frequent one
	SELECT ply, hash, class, child, arg_max(opening, (n, opening)) AS opening
	FROM (SELECT ply, hash, class, child, opening, count(*) AS n FROM opening_moves WHERE opening <> '' GROUP BY ALL) GROUP BY ply, hash, class, child
){{end}}{{if .Boards}}, node_boards AS (
	SELECT ply, hash, arg_min(board, game_id) AS board FROM opening_rows GROUP BY ply, hash
){{end}}{{if .Choices}}, move_values AS (
	SELECT r.ply, r.hash, r.first_to_move, {{if .Merged}}move_as(r.own_board, c.move, r.board){{else}}c.move{{end}} AS class, max(c.{{.Value}})::DOUBLE AS value
	FROM {{.Choices}} c JOIN opening_rows r USING (game_id, ply)
	WHERE r.ply < {{.Depth}} GROUP BY ALL
), best_unplayed AS (
	SELECT ply, hash, arg_max(class, (if(first_to_move, value, -value), class)) AS unplayed, arg_max(value, (if(first_to_move, value, -value), class)) AS unplayed_value
	FROM move_values ANTI JOIN played_moves USING (ply, hash, class) GROUP BY ply, hash
){{end}}
SELECT ply, hash, child, first_to_move, move, games, games / sum(games) OVER (PARTITION BY ply, hash)::DOUBLE AS share,
	wins, draws, losses, score, rating,
	CASE WHEN rated >= {{.Rated}} THEN opposition + greatest(-800, least(800, CASE WHEN rated_score <= 0 THEN -800 WHEN rated_score >= 1 THEN 800 ELSE -400 * log10(1 / rated_score - 1) END)) END AS performance, rated,
	last_date, mean_year, value, parent_value, {{if .Choices}}unplayed, unplayed_value{{else}}NULL::VARCHAR AS unplayed, NULL::DOUBLE AS unplayed_value{{end}}{{if .Named}}, opening{{end}}{{if .Boards}}, san(board, move) AS san, {{if .Choices}}CASE WHEN unplayed IS NOT NULL THEN san(board, unplayed) END{{else}}NULL::VARCHAR{{end}} AS unplayed_san, fen(board) AS position{{end}}
FROM played_moves{{if .Named}} LEFT JOIN opening_names USING (ply, hash, class, child){{end}}{{if .Boards}} LEFT JOIN node_boards USING (ply, hash){{end}}{{if .Choices}} LEFT JOIN best_unplayed USING (ply, hash){{end}}
QUALIFY games >= {{.MinGames}}
ORDER BY ply, hash, games DESC, move
