{{- /* data: headlineSQL in headline.go */ -}}
/* The score of the move that most games begin with, for the side that moves, with Wilson's
   95 % interval at the number of independent games that would vary as much. */
WITH {{with .Summed}}headline AS (
	-- summed up already
	SELECT {{.Games}}::BIGINT AS n, {{.SQL .Points}} / n AS score, ({{.SQL .Squares}} / n - score * score) * n / pow(nullif(n - 1, 0), 2) AS game_variance
), enough_players AS (
	SELECT {{if .Enough}}{{.Players}}::BIGINT{{else}}NULL::BIGINT{{end}} AS players, {{if .Enough}}{{.SQL .Alike}}{{else}}NULL::DOUBLE{{end}} AS effective
), by_player AS (
	SELECT {{if .Enough}}{{.SQL .Variance}}{{else}}NULL::DOUBLE{{end}} AS player_variance, {{if .Enough}}{{.SQL .Effective}}{{else}}NULL::DOUBLE{{end}} AS effective
){{else}}{{if .Merged}}root AS (
	SELECT any_value(board) AS shown_board FROM {{.View}} WHERE ply = 0 AND hash = {{.Hash}}
), {{end}}headline_games AS MATERIALIZED (
	SELECT game_id, CASE WHEN result = 'draw' THEN 0.5 ELSE ((result = 'first') = first_to_move)::INTEGER END::DOUBLE AS points
	FROM {{.View}}{{if .Merged}}, root{{end}} WHERE ply = 0 AND result IS NOT NULL
		AND {{if .Merged}}canonical(board) = canonical(shown_board) AND move_as(board, move, shown_board) = move_as(shown_board, {{.Move}}, shown_board){{else}}hash = {{.Hash}} AND move = {{.Move}}{{end}}{{.Chosen}}
), headline AS (
	SELECT count(*) AS n, avg(points) AS score, (avg(points * points) - score * score) * n / pow(nullif(n - 1, 0), 2) AS game_variance FROM headline_games
){{if .Players.On}}, {{template "clusters" .Players}}, by_cluster AS (
	SELECT cluster, sign, sum(points) AS points, count(*)::DOUBLE AS size FROM headline_games JOIN clusters USING (game_id) GROUP BY cluster, sign
), by_player AS (
	SELECT {{.Players.ByPlayer "points" "size" "score" "n"}} AS player_variance, pow(sum(size) FILTER (sign = 1), 2) / sum(size * size) FILTER (sign = 1) AS effective
	FROM by_cluster c, headline GROUP BY score, n
){{end}}{{end}}, spread AS (
	SELECT n, score, {{.Players.Widest "game_variance" "player_variance"}} AS variance,
		{{- if .Players.On}} CASE WHEN variance > game_variance AND effective > 2 THEN student_t(effective - 1) ELSE 1.959963984540054e0 END{{else}} 1.959963984540054e0{{end}} AS t,
		CASE WHEN variance > 1e-12 AND score * (1 - score) > 0 THEN score * (1 - score) / variance ELSE n END AS independent
	FROM headline{{if .Players.On}} LEFT JOIN by_player ON true{{end}}
)
SELECT n, score, wilson_low(score * independent, independent, z := t) AS low, wilson_high(score * independent, independent, z := t) AS high
	{{- if .Players.On}}, (SELECT players FROM enough_players) AS players, (SELECT effective FROM enough_players) AS alike{{end}}
FROM spread
