/* Evaluation curves: the share of games won by the first player, by the evaluation
   (Takeuchi, Kaneko, Yamaguchi and Kawai 2007, equations 1 and 2). One row per curve and
   bin. To run it: kifu query, with the datasets named as in FROM.

   A bin is [v - 25/2, v + 25/2) around its centre v, in column bin. Draws are left out.
   kind is bin, or the reason why positions are not on the axis: the evaluation is a forced
   win of either player, or missing. shown is true if the bin has enough positions
   (min_count). curve_games is the number of games in all bins of the curve together.

   Positions of one game are not independent. variance is the variance of the ratio of the
   games' sums (linearised). low and high are Wilson's 95 % interval for the number of
   independent positions with the same variance, with Student's t for few games.
   effective_games is the number of games of equal length with as much information.
   wilson_low and wilson_high treat positions as independent, and are too narrow. */
WITH by_game AS MATERIALIZED (
	SELECT 0 AS source, game_id, bin,
		CASE outcome WHEN 1 THEN n0 ELSE 0 END AS wins0, CASE outcome WHEN 0 THEN n0 ELSE 0 END AS draws0,
		CASE outcome WHEN -1 THEN n0 ELSE 0 END AS losses0, CASE outcome WHEN 2 THEN n0 ELSE 0 END AS unfinished0,
		CASE outcome WHEN 1 THEN n1 ELSE 0 END AS wins1, CASE outcome WHEN 0 THEN n1 ELSE 0 END AS draws1,
		CASE outcome WHEN -1 THEN n1 ELSE 0 END AS losses1, CASE outcome WHEN 2 THEN n1 ELSE 0 END AS unfinished1,
		CASE outcome WHEN 1 THEN n2 ELSE 0 END AS wins2, CASE outcome WHEN 0 THEN n2 ELSE 0 END AS draws2,
		CASE outcome WHEN -1 THEN n2 ELSE 0 END AS losses2, CASE outcome WHEN 2 THEN n2 ELSE 0 END AS unfinished2
	FROM (
		SELECT game_id, bin, outcome, count(*)::INTEGER AS n0, count(*) FILTER (holds1)::INTEGER AS n1, count(*) FILTER (holds2)::INTEGER AS n2
		FROM (SELECT game_id, CASE WHEN "quiescence_value" > 31000 THEN 2147483647 WHEN "quiescence_value" < -31000 THEN -2147483647
				ELSE floor("quiescence_value"::DOUBLE / 25 + 0.5)::INTEGER END AS bin,
				CASE result WHEN 'first' THEN 1 WHEN 'second' THEN -1 WHEN 'draw' THEN 0 ELSE 2 END::TINYINT AS outcome,
				(king_safety >= 30
				) AS holds1,
				(king_safety <= -30
				) AS holds2
			FROM main."labels")
		GROUP BY game_id, bin, outcome)
), by_curve AS (
	SELECT source, 0 AS curve, bin, wins0 AS wins, draws0 AS draws, losses0 AS losses, unfinished0 AS unfinished
	FROM by_game
	UNION ALL
	SELECT source, 1 AS curve, bin, wins1 AS wins, draws1 AS draws, losses1 AS losses, unfinished1 AS unfinished
	FROM by_game WHERE wins1 + draws1 + losses1 + unfinished1 > 0
	UNION ALL
	SELECT source, 2 AS curve, bin, wins2 AS wins, draws2 AS draws, losses2 AS losses, unfinished2 AS unfinished
	FROM by_game WHERE wins2 + draws2 + losses2 + unfinished2 > 0
)
, per_game AS MATERIALIZED (
	SELECT source, game_id, sum(wins0 + losses0) AS n0, sum(wins1 + losses1) AS n1, sum(wins2 + losses2) AS n2
	FROM by_game GROUP BY source, game_id
), games_of AS (
	SELECT source, 0 AS curve, count(*) FILTER (n0 > 0) AS curve_games FROM per_game GROUP BY source
	UNION ALL
	SELECT source, 1 AS curve, count(*) FILTER (n1 > 0) AS curve_games FROM per_game GROUP BY source
	UNION ALL
	SELECT source, 2 AS curve, count(*) FILTER (n2 > 0) AS curve_games FROM per_game GROUP BY source
), sums AS (
	SELECT source, curve, bin, sum(n)::BIGINT AS positions, count(*) FILTER (n > 0) AS games,
		sum(wins)::BIGINT AS wins, sum(draws)::BIGINT AS draws, sum(losses)::BIGINT AS losses, sum(unfinished)::BIGINT AS unfinished,
		sum(wins::DOUBLE * wins) AS ww, sum(wins::DOUBLE * n) AS wn, sum(n::DOUBLE * n) AS nn, sum(n::BIGINT * n * n)::DOUBLE AS nnn, sum(n::HUGEINT * n * n * n)::DOUBLE AS nnnn
	FROM (SELECT *, wins + losses AS n FROM by_curve)
	GROUP BY source, curve, bin
), scores AS (
	SELECT *, wins::DOUBLE AS w FROM sums
), variances AS (
	SELECT *, w / nullif(positions, 0) AS p,
		greatest(0, ww - 2 * p * wn + p * p * nn) / (nullif(positions, 0)::DOUBLE * positions) / nullif(kept_share(positions, nn, nnn), 0) AS game_variance,
		cluster_degrees(positions, nn, nnn, nnnn) AS df,
		game_variance AS variance, student_t(df) AS t
	FROM scores
), least AS (
	SELECT 30 AS min_count
), names(source, curve, source_name, curve_name) AS (
	VALUES (0, 0, 'labels', 'total'), (0, 1, 'labels', 'safe'), (0, 2, 'labels', 'unsafe')
)
SELECT source_name AS source, curve_name AS curve,
	CASE bin WHEN 2147483647 THEN 'forced first' WHEN -2147483647 THEN 'forced second' ELSE if(bin IS NULL, 'no value', 'bin') END AS kind,
	CASE WHEN abs(bin) < 2147483647 THEN bin * 25::DOUBLE END AS bin,
	kind = 'bin' AND positions >= min_count AS shown, min_count, curve_games,
	positions, games, wins, draws, losses, unfinished,
	df + 1 AS effective_games, p AS win_probability, sqrt(nullif(variance, 0)) AS se, share_t(p, variance, t, df + 1) AS t,
	share_low(p, variance, t, df + 1) AS low, share_high(p, variance, t, df + 1) AS high,
	wilson_low(w, positions) AS wilson_low, wilson_high(w, positions) AS wilson_high
FROM variances JOIN names USING (source, curve) JOIN games_of USING (source, curve), least
ORDER BY variances.source, variances.curve, kind, variances.bin
