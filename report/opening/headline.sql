{{- /* data: headlineSQL in headline.go */ -}}
/* The score of the move that most games begin with, for the side that moves, with Wilson's
   95 % interval at the number of independent games that would vary as much. */
WITH {{with .Summed}}headline AS (
	-- summed up already
	SELECT {{.Games}}::BIGINT AS n, {{.SQL .Points}} / n AS score, ({{.SQL .Squares}} / n - score * score) * n / pow(nullif(n - 1, 0), 2) AS game_variance
), by_player AS (
	SELECT {{if .Usable}}{{.SQL .Variance}}{{else}}NULL::DOUBLE{{end}} AS player_variance, [{{range $i, $x := .Sizes}}{{if $i}}, {{end}}{{$.Summed.SQL $x}}{{end}}] AS player_sizes
){{else}}{{if .Merged}}root AS (
	SELECT any_value(board) AS shown_board FROM {{.View}} WHERE ply = 0 AND hash = {{.Hash}}
), {{end}}headline_games AS MATERIALIZED (
	SELECT game_id, CASE WHEN result = 'draw' THEN 0.5 ELSE ((result = 'first') = first_to_move)::INTEGER END::DOUBLE AS points
	FROM {{.View}}{{if .Merged}}, root{{end}} WHERE ply = 0 AND result IS NOT NULL
		AND {{if .Merged}}canonical(board) = canonical(shown_board) AND move_as(board, move, shown_board) = move_as(shown_board, {{.Move}}, shown_board){{else}}hash = {{.Hash}} AND move = {{.Move}}{{end}}{{.Chosen}}
), headline AS (
	SELECT count(*) AS n, avg(points) AS score, (avg(points * points) - score * score) * n / pow(nullif(n - 1, 0), 2) AS game_variance FROM headline_games
){{if .Players.On}}, {{template "clusters" .Players}}, {{template "known" .Players}}, by_cluster AS (
	SELECT cluster, factor, sum(points) AS points, count(*)::DOUBLE AS size FROM headline_games JOIN clusters USING (game_id) GROUP BY cluster, factor
), by_player AS (
	SELECT {{.Players.ByPlayer "points" "size" "score" "n"}} AS player_variance, {{.Players.Sizes "size" "n"}} AS player_sizes
	FROM by_cluster c, headline GROUP BY score, n
){{end}}{{end}}, spread AS (
	SELECT n, score, {{.Players.Widest "game_variance" "player_variance" "player_sizes" "'Infinity'::DOUBLE" "variance" "t"}},
		CASE WHEN variance > 1e-12 AND score * (1 - score) > 0 THEN score * (1 - score) / variance ELSE n END AS independent
	FROM headline{{if .Players.On}} LEFT JOIN by_player ON true{{end}}
)
SELECT n, score, wilson_low(score * independent, independent, z := t) AS low, wilson_high(score * independent, independent, z := t) AS high
	{{- if and .Players.On (not .Summed)}}, k.players, k.effective, k.hubs, k.everybody{{end}}
FROM spread{{if and .Players.On (not .Summed)}} LEFT JOIN known_players k ON true{{end}}
