{{- /* data: []opponentSQL in opponent.go */ -}}
/* Opponent models compared: one row per number with its error, from what kifu learn wrote.
   To run it: kifu query, with the models under the names before the underscores in FROM.

   quantity    estimate, its error and interval, and a reference
   counter     of LearnDepth (Carmel and Markovitch 1993, figure 6) by depth, per decision;
               total is the counter itself
   posterior   probability of the depth under a noisy choice
   accuracy    probability that a random best move of the strategy is the move played;
               reference: that a random legal move is
   log_loss    mean of -ln of the probability that the strategy gives the move played;
               reference: that of a random legal move
   agreement   probability that the move played is among the model's first top moves, equal
               ones in random order; reference: that it is among as many random moves
   against     of the decisions shared with the first model, how many more this model predicts;
               reference: the first model's share
   weight      of the term; reference: the given weight. solved_depth is the depth whose
               system gave it, 0 if none did better than the initial weights

   quiescence  the strategy searches captures to their end beyond its depth
   difference  on the same decisions, with its interval by games: of accuracy and log_loss from
               the model's, on the held-out games; of agreement from random moves. It has no
               interval with fewer than twenty games

   Decisions of one game are not independent: se is the jackknife error, by games, of the ratio of sums.
   low and high are 95 % intervals with Student's t, with one degree of freedom less than the number of
   games of equal length with as much information; of accuracy and agreement, Wilson's for the number of
   independent decisions with the same variance. */
WITH decisions AS (
{{- range $i, $m := .}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{$i}} AS number, game_id, ply, part, phase, legal_moves, model_better, model_equal,
		[{{range $d := .Depths}}{{if gt $d 1}}, {{end}}rank_{{$d}}{{end}}{{range .QuietRanks}}, rank_{{.}}q{{end}}] AS ranks, {{len .Depths}} AS plain,
		position, move, least(1, 1 / model_equal::DOUBLE) * (model_better = 0)::INTEGER AS hit
	FROM {{.View "decisions"}}{{end}}
), width AS (
	-- of the bands of the phase: the least round one that makes at most seven
	SELECT min(w) AS w
	FROM (SELECT unnest([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]) AS w), (SELECT min(phase) AS low, max(phase) AS high FROM decisions)
	WHERE high // w - low // w < 7
), facts AS (
	SELECT number, 'counter' AS quantity, part, CASE WHEN nth > plain THEN nth - plain ELSE nth END AS depth, nth > plain AS quiescence, NULL::BIGINT AS top, NULL::BIGINT AS phase_low, game_id, ply,
		(legal_moves - 2 * (rank - 1))::DOUBLE AS x, NULL::DOUBLE AS chance
	FROM (SELECT *, unnest(ranks) AS rank, generate_subscripts(ranks, 1) AS nth FROM decisions)
	UNION ALL
	SELECT b.number, 'against', b.part, NULL, NULL, 1, NULL, b.game_id, b.ply, b.hit - a.hit, a.hit
	FROM decisions a JOIN decisions b ON a.number = 0 AND b.number > 0 AND a.game_id = b.game_id AND a.ply = b.ply AND a.position = b.position AND a.move = b.move AND a.part = b.part
	UNION ALL
	SELECT number, 'agreement', part, NULL, NULL, top, band, game_id, ply,
		greatest(0, least(1, (top - model_better) / model_equal::DOUBLE)), least(1, top / legal_moves::DOUBLE)
	FROM (SELECT *, unnest([NULL, phase // w * w]) AS band FROM decisions, width), (SELECT unnest([1, 3, 5]) AS top)
), by_game AS (
	SELECT number, quantity, part, depth, quiescence, top, phase_low, game_id, count(*) AS n, sum(x ORDER BY ply) AS x, sum(chance ORDER BY ply) AS chance
	FROM facts GROUP BY ALL
), sums AS (
	-- each game with the sums of all
	SELECT *, sum(n) OVER alike AS all_n, sum(x) OVER alike AS all_x, sum(chance) OVER alike AS all_chance FROM by_game
	WINDOW alike AS (PARTITION BY number, quantity, part, depth, quiescence, top, phase_low ORDER BY game_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
), measured AS (
	-- se is of what a ratio would move by without each game
	SELECT number, quantity, part, depth, quiescence, top, phase_low, any_value(all_n)::BIGINT AS decisions, count(*) AS games, any_value(all_x) AS x, any_value(all_chance) AS chance, sum(n * n)::DOUBLE / decisions / decisions AS shares,
		any_value(all_x / all_n) AS estimate, any_value((all_x - all_chance) / all_n) AS beyond,
		sqrt(sum(pow((sums.x - all_x / all_n * n) / nullif(all_n - n, 0), 2) ORDER BY game_id) * (count(*) - 1) / count(*)) AS se,
		sqrt(sum(pow((sums.x - sums.chance - (all_x - all_chance) / all_n * n) / nullif(all_n - n, 0), 2) ORDER BY game_id) * (count(*) - 1) / count(*)) AS beyond_se
	FROM sums GROUP BY ALL
), samples AS (
	SELECT number, part, sum(n)::BIGINT AS decisions, count(*) AS games, sum(n * n)::DOUBLE / sum(n) / sum(n) AS shares, sum(chance ORDER BY game_id) / sum(n) AS chance, sum(chance_loss ORDER BY game_id) / sum(n) AS chance_loss
	FROM (SELECT number, part, game_id, count(*) AS n, sum(1 / legal_moves::DOUBLE ORDER BY ply) AS chance, sum(ln(legal_moves) ORDER BY ply) AS chance_loss FROM decisions GROUP BY ALL)
	GROUP BY number, part
), scores AS (
{{- range $i, $m := .}}{{if $i}}
	UNION ALL{{end}}
	SELECT {{$i}} AS number, 'given' AS solver, depth, false AS quiescence, NULL::BIGINT AS solved_depth, temperature, lapse, posterior, train_accuracy, train_se, train_log_loss,
		held_accuracy::DOUBLE AS held_accuracy, held_se::DOUBLE AS held_se, held_log_loss::DOUBLE AS held_log_loss,
		{{if .Compared}}behind::DOUBLE AS behind, behind_se::DOUBLE AS behind_se, log_loss_behind::DOUBLE AS loss_behind, log_loss_behind_se::DOUBLE AS loss_behind_se
		{{- else}}NULL::DOUBLE AS behind, NULL::DOUBLE AS behind_se, NULL::DOUBLE AS loss_behind, NULL::DOUBLE AS loss_behind_se{{end}}
	FROM {{.View "depths"}}
{{- if .Quiet}}
	UNION ALL
	SELECT {{$i}}, 'given', depth, true, NULL, temperature, lapse, posterior, train_accuracy, train_se, train_log_loss, held_accuracy::DOUBLE, held_se::DOUBLE, held_log_loss::DOUBLE,
		{{if .Compared}}behind::DOUBLE, behind_se::DOUBLE, log_loss_behind::DOUBLE, log_loss_behind_se::DOUBLE{{else}}NULL, NULL, NULL, NULL{{end}}
	FROM {{.View "quiescent"}}{{end}}
{{- if .Learned}}
	UNION ALL
	SELECT {{$i}}, solver, depth, {{if .QuietWeights}}quiescence{{else}}false{{end}}, solved_at_depth, temperature, lapse, NULL, train_accuracy, train_se::DOUBLE, train_log_loss, held_accuracy, held_se::DOUBLE, held_log_loss,
		behind::DOUBLE, behind_se::DOUBLE, {{if .QuietWeights}}log_loss_behind::DOUBLE, log_loss_behind_se::DOUBLE{{else}}NULL, NULL{{end}}
	FROM {{.View "strategies"}}{{end}}{{end}}
), by_sample AS (
	SELECT number, solver, depth, quiescence, solved_depth, temperature, lapse, 'train' AS part, train_accuracy AS accuracy, train_se::DOUBLE AS se, train_log_loss AS log_loss,
		NULL::DOUBLE AS behind, NULL::DOUBLE AS behind_se, NULL::DOUBLE AS loss_behind, NULL::DOUBLE AS loss_behind_se FROM scores
	UNION ALL
	SELECT number, solver, depth, quiescence, solved_depth, temperature, lapse, 'held_out', held_accuracy, held_se, held_log_loss, behind, behind_se, loss_behind, loss_behind_se
	FROM scores WHERE held_accuracy IS NOT NULL
), scored AS (
	SELECT * FROM by_sample JOIN samples USING (number, part)
), weights(number, solver, depth, quiescence, term_group, term, stage, weight, se, given_weight, place) AS (
	SELECT 0, '', 0, false, '', '', '', 0::DOUBLE, 0::DOUBLE, 0::DOUBLE, 0 WHERE false
{{- range $i, $m := .}}{{if .Learned}}
	UNION ALL
	SELECT {{$i}}, solver, depth, {{if .QuietWeights}}quiescence{{else}}false{{end}}, term_group, term, stage::VARCHAR, weight, se::DOUBLE, given_weight, row_number() OVER ()
	FROM {{.View "weights"}}{{end}}{{end}}
), names(number, player, model_depth, model_quiescence, model_solver) AS (
	VALUES {{range $i, $m := .}}{{if $i}}, {{end}}({{$i}}, {{.Quoted}}, {{.Model}}, {{.ModelQuiet}}, '{{.Solver}}'){{end}}
), numbers AS (
	SELECT number, quantity, part, CASE quantity WHEN 'counter' THEN 'given' END AS solver, depth, quiescence, top, phase_low, NULL AS term_group, NULL AS term, NULL AS stage,
		estimate, se, chance / decisions AS reference, CASE quantity WHEN 'agreement' THEN beyond END AS difference, CASE quantity WHEN 'agreement' THEN beyond_se END AS difference_se,
		CASE quantity WHEN 'counter' THEN x::BIGINT END AS total, decisions, games, shares,
		NULL AS temperature, NULL AS lapse, NULL AS solved_depth, 0 AS place
	FROM measured WHERE quantity != 'counter' OR part = 'train'
	UNION ALL
	SELECT number, 'posterior', 'train', 'given', depth, quiescence, NULL, NULL, NULL, NULL, NULL, posterior, NULL, NULL, NULL, NULL, NULL, decisions, games, shares, temperature, lapse, NULL, 0
	FROM scores JOIN samples USING (number) WHERE solver = 'given' AND part = 'train'
	UNION ALL
	SELECT number, 'accuracy', part, solver, depth, quiescence, NULL, NULL, NULL, NULL, NULL, accuracy, se, chance, -behind, behind_se, NULL, decisions, games, shares, temperature, lapse, solved_depth, 0 FROM scored
	UNION ALL
	SELECT number, 'log_loss', part, solver, depth, quiescence, NULL, NULL, NULL, NULL, NULL, log_loss, NULL, chance_loss, loss_behind, loss_behind_se, NULL, decisions, games, shares, temperature, lapse, solved_depth, 0 FROM scored
	UNION ALL
	SELECT number, 'weight', 'train', solver, depth, quiescence, NULL, NULL, term_group, term, stage, weight, weights.se, given_weight, NULL, NULL, NULL, decisions, games, shares, NULL, NULL, solved_depth, place
	FROM weights JOIN scored USING (number, solver, depth, quiescence) WHERE part = 'train'
), intervals AS (
	SELECT *, CASE WHEN games >= 20 THEN difference_se END AS known_se, student_t(CASE WHEN shares < 1 THEN 1 / shares - 1 END) AS t,
		phase_low + w - 1 AS phase_high
	FROM numbers JOIN names USING (number), width
)
SELECT player, quantity, part AS sample, solver, depth, quiescence, solver = model_solver AND depth = model_depth AND quiescence = model_quiescence AS model, top, phase_low, phase_high, term_group, term, stage,
	estimate, se,
	CASE WHEN quantity IN ('accuracy', 'agreement') THEN share_low(estimate, se * se, t, games) ELSE estimate - t * se END AS low,
	CASE WHEN quantity IN ('accuracy', 'agreement') THEN share_high(estimate, se * se, t, games) ELSE estimate + t * se END AS high,
	reference, difference, difference - t * known_se AS difference_low, difference + t * known_se AS difference_high,
	total, decisions, games, temperature, lapse, solved_depth
FROM intervals
ORDER BY number, list_position(['counter', 'posterior', 'accuracy', 'log_loss', 'agreement', 'against', 'weight'], quantity),
	list_position(['train', 'held_out', 'test'], part), list_position(['given', 'lp', 'likelihood', 'shrunk'], solver), quiescence, depth, place, top, phase_low NULLS FIRST
