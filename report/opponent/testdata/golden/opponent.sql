/* Opponent models side by side: one row a number with its error, of what kifu learn wrote.
   kifu query runs it with the models under the names that FROM has before the underscore.

   quantity    estimate, its error and interval, and reference beside it
   counter     that of LearnDepth (Carmel and Markovitch 1993, figure 6) by depth, a
               decision; total is the counter itself
   posterior   the chance of the depth by the noisy choice
   accuracy    the chance that a draw among the best moves of the strategy gives the one
               played; reference: the same of a draw among all moves
   log_loss    mean of -ln of the chance that the strategy gives the move played;
               reference: the same of a draw among all moves
   agreement   the chance that the move played is among the first top moves by the model,
               of equals a draw; reference: that it is among as many drawn ones
   weight      of the term; reference: the weight given. solved_depth is the depth of the
               system that gave it, 0 when none did better than the weights begun with

   Decisions of one game are not independent: se is that of the ratio of the games' sums,
   and low and high of accuracy and agreement are Wilson's 95 % interval at the number of
   independent decisions that would vary as much. */
WITH decisions AS (
	SELECT 0 AS number, game_id, ply, part, phase, legal_moves, model_better, model_equal,
		[rank_1, rank_2, rank_3] AS ranks
	FROM main."learned_decisions"
	UNION ALL
	SELECT 1 AS number, game_id, ply, part, phase, legal_moves, model_better, model_equal,
		[rank_1, rank_2] AS ranks
	FROM main."given_decisions"
), width AS (
	-- of the bands of the phase: the least round one that makes at most seven
	SELECT min(w) AS w
	FROM (SELECT unnest([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]) AS w), (SELECT min(phase) AS low, max(phase) AS high FROM decisions)
	WHERE high // w - low // w < 7
), facts AS (
	SELECT number, 'counter' AS quantity, part, depth, NULL::BIGINT AS top, NULL::BIGINT AS phase_low, game_id, ply,
		(legal_moves - 2 * (rank - 1))::DOUBLE AS x, NULL::DOUBLE AS chance
	FROM (SELECT *, unnest(ranks) AS rank, generate_subscripts(ranks, 1) AS depth FROM decisions)
	UNION ALL
	SELECT number, 'agreement', part, NULL, top, band, game_id, ply,
		greatest(0, least(1, (top - model_better) / model_equal::DOUBLE)), least(1, top / legal_moves::DOUBLE)
	FROM (SELECT *, unnest([NULL, phase // w * w]) AS band FROM decisions, width), (SELECT unnest([1, 3, 5]) AS top)
), by_game AS (
	SELECT number, quantity, part, depth, top, phase_low, game_id, count(*) AS n, sum(x ORDER BY ply) AS x, sum(chance ORDER BY ply) AS chance
	FROM facts GROUP BY ALL
), sums AS (
	SELECT number, quantity, part, depth, top, phase_low, sum(n)::BIGINT AS decisions, count(*) AS games,
		sum(x ORDER BY game_id) AS x, sum(chance ORDER BY game_id) AS chance,
		sum(x * x ORDER BY game_id) AS xx, sum(x * n ORDER BY game_id) AS xn, sum(n * n)::DOUBLE AS nn
	FROM by_game GROUP BY ALL
), measured AS (
	SELECT *, x / decisions AS estimate,
		sqrt(greatest(0, xx - 2 * estimate * xn + estimate * estimate * nn) * games / nullif(games - 1, 0)) / decisions AS se
	FROM sums
), samples AS (
	SELECT number, part, count(*) AS decisions, count(DISTINCT game_id) AS games,
		sum(1 / legal_moves::DOUBLE ORDER BY game_id, ply) / count(*) AS chance, sum(ln(legal_moves) ORDER BY game_id, ply) / count(*) AS chance_loss
	FROM decisions GROUP BY number, part
), scores AS (
	SELECT 0 AS number, 'given' AS solver, depth, NULL::BIGINT AS solved_depth, temperature, lapse, posterior, train_accuracy, train_se, train_log_loss,
		held_accuracy::DOUBLE AS held_accuracy, held_se::DOUBLE AS held_se, held_log_loss::DOUBLE AS held_log_loss
	FROM main."learned_depths"
	UNION ALL
	SELECT 0, solver, depth, solved_at_depth, temperature, lapse, NULL, train_accuracy, train_se::DOUBLE, train_log_loss, held_accuracy, held_se::DOUBLE, held_log_loss
	FROM main."learned_strategies"
	UNION ALL
	SELECT 1 AS number, 'given' AS solver, depth, NULL::BIGINT AS solved_depth, temperature, lapse, posterior, train_accuracy, train_se, train_log_loss,
		held_accuracy::DOUBLE AS held_accuracy, held_se::DOUBLE AS held_se, held_log_loss::DOUBLE AS held_log_loss
	FROM main."given_depths"
), by_sample AS (
	SELECT number, solver, depth, solved_depth, temperature, lapse, 'train' AS part, train_accuracy AS accuracy, train_se::DOUBLE AS se, train_log_loss AS log_loss FROM scores
	UNION ALL
	SELECT number, solver, depth, solved_depth, temperature, lapse, 'held_out', held_accuracy, held_se, held_log_loss FROM scores WHERE held_accuracy IS NOT NULL
), scored AS (
	SELECT * FROM by_sample JOIN samples USING (number, part)
), weights(number, solver, depth, term_group, term, stage, weight, se, given_weight, place) AS (
	SELECT 0, '', 0, '', '', '', 0::DOUBLE, 0::DOUBLE, 0::DOUBLE, 0 WHERE false
	UNION ALL
	SELECT 0, solver, depth, term_group, term, stage::VARCHAR, weight, se::DOUBLE, given_weight, row_number() OVER ()
	FROM main."learned_weights"
), names(number, player, model_depth, model_solver) AS (
	VALUES (0, 'learned', 3, 'lp'), (1, 'given', 2, 'given')
), numbers AS (
	SELECT number, quantity, part, CASE quantity WHEN 'counter' THEN 'given' END AS solver, depth, top, phase_low, NULL AS term_group, NULL AS term, NULL AS stage,
		estimate, se, chance / decisions AS reference, CASE quantity WHEN 'counter' THEN x::BIGINT END AS total, decisions, games,
		NULL AS temperature, NULL AS lapse, NULL AS solved_depth, 0 AS place
	FROM measured WHERE quantity = 'agreement' OR part = 'train'
	UNION ALL
	SELECT number, 'posterior', 'train', 'given', depth, NULL, NULL, NULL, NULL, NULL, posterior, NULL, NULL, NULL, decisions, games, temperature, lapse, NULL, 0
	FROM scores JOIN samples USING (number) WHERE solver = 'given' AND part = 'train'
	UNION ALL
	SELECT number, 'accuracy', part, solver, depth, NULL, NULL, NULL, NULL, NULL, accuracy, se, chance, NULL, decisions, games, temperature, lapse, solved_depth, 0 FROM scored
	UNION ALL
	SELECT number, 'log_loss', part, solver, depth, NULL, NULL, NULL, NULL, NULL, log_loss, NULL, chance_loss, NULL, decisions, games, temperature, lapse, solved_depth, 0 FROM scored
	UNION ALL
	SELECT number, 'weight', 'train', solver, depth, NULL, NULL, term_group, term, stage, weight, weights.se, given_weight, NULL, decisions, games, NULL, NULL, solved_depth, place
	FROM weights JOIN scored USING (number, solver, depth) WHERE part = 'train'
), intervals AS (
	SELECT *, CASE WHEN se > 0 AND estimate > 0 AND estimate < 1 THEN estimate * (1 - estimate) / (se * se) ELSE games END AS independent,
		phase_low + w - 1 AS phase_high
	FROM numbers JOIN names USING (number), width
)
SELECT player, quantity, part AS sample, solver, depth, solver = model_solver AND depth = model_depth AS model, top, phase_low, phase_high, term_group, term, stage,
	estimate, se,
	CASE WHEN quantity IN ('accuracy', 'agreement') THEN wilson_low(estimate * independent, independent) ELSE estimate - 1.959963984540054e0 * se END AS low,
	CASE WHEN quantity IN ('accuracy', 'agreement') THEN wilson_high(estimate * independent, independent) ELSE estimate + 1.959963984540054e0 * se END AS high,
	reference, total, decisions, games, temperature, lapse, solved_depth
FROM intervals
ORDER BY number, list_position(['counter', 'posterior', 'accuracy', 'log_loss', 'agreement', 'weight'], quantity),
	list_position(['train', 'held_out', 'test'], part), list_position(['given', 'lp', 'likelihood', 'shrunk'], solver), depth, place, top, phase_low NULLS FIRST
