{{- /* data: treeSQL in oftree.go */ -}}
/* The moves of an opening tree in at least {{.MinGames}} games: one row per move in a position,
   summed over the groups and runs of the tree. The report keeps positions that shown moves
   reach from the usual start, and adds the ply, the position after the move and the means.
   Where mirror images and rotations are equivalent, it merges their rows. */
SELECT hash, move, sum(first_wins + draws + second_wins + without_result)::BIGINT AS games,
	games / (sum(games) OVER (PARTITION BY hash))::DOUBLE AS share,
	sum(first_wins)::BIGINT AS first_wins, sum(draws)::BIGINT AS draws, sum(second_wins)::BIGINT AS second_wins,
	sum(first_elo_sum) / nullif(sum(first_elo_games), 0)::DOUBLE AS first_rating, sum(second_elo_sum) / nullif(sum(second_elo_games), 0)::DOUBLE AS second_rating,
	max(coalesce(last_date, first_date)) AS last_date
FROM {{.View}} WHERE move IS NOT NULL
{{- if .Filter.MinRating}} AND rating >= {{.Filter.MinRating}}{{end}}{{if .Filter.MaxRating}} AND rating <= {{.Filter.MaxRating}}{{end}}
{{- if .Filter.From}} AND month >= '{{.Filter.From}}'{{end}}{{if .Filter.To}} AND left(month, {{len .Filter.To}}) <= '{{.Filter.To}}'{{end}}
GROUP BY hash, move QUALIFY games >= {{.MinGames}}
ORDER BY hash, games DESC, move
