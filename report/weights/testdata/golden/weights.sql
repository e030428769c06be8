/* The weights of fits: one row per weight and fit, in the order of the evaluator's terms.
   Weights are in the evaluator's unit. se_robust, the 95 % interval and z allow for the
   dependence of positions of one game. To run it: kifu query, with the fits named as in
   FROM. */
WITH fits AS (
	SELECT 0 AS number, 'mlm' AS fit, row_number() OVER () AS place, * FROM main."mlm"
	UNION ALL
	SELECT 1 AS number, 'ls' AS fit, row_number() OVER () AS place, * FROM main."ls"
), ordered AS (
	SELECT *, first_value(number * 1000000 + place) OVER (PARTITION BY term_group, term, stage ORDER BY number) AS weight_order,
		first_value(number * 1000000 + place) OVER (PARTITION BY term_group ORDER BY number, place) AS group_order
	FROM fits
)
SELECT fit, term_group, term, stage, initial_weight, weight, se_robust, ci_low, ci_high, z, positions, games, status
FROM ordered
ORDER BY group_order, weight_order, number
