-- Share of games won by the first player; a draw counts as draw_score wins (NULL
-- leaves draws out). NULL when nothing is left.
CREATE MACRO win_probability(wins, draws, losses, draw_score := NULL) AS
	(wins + coalesce(draw_score * draws, 0))::DOUBLE
	/ nullif(wins + losses + CASE WHEN draw_score IS NULL THEN 0 ELSE draws END, 0);

-- Wilson's interval for wins of n at z standard errors. It takes the n as independent,
-- which positions of one game are not. NULL when n is 0.
CREATE MACRO wilson_low(wins, n, z := 1.959963984540054e0) AS list_transform([{'w': wins, 'n': n, 'z': z}], x -> -- each once, where they are long expressions
	CASE WHEN x.n > 0 THEN greatest(0, (x.w + x.z * x.z / 2 - x.z * sqrt(x.w * (x.n - x.w) / x.n::DOUBLE + x.z * x.z / 4)) / (x.n + x.z * x.z)) END)[1];
CREATE MACRO wilson_high(wins, n, z := 1.959963984540054e0) AS list_transform([{'w': wins, 'n': n, 'z': z}], x ->
	CASE WHEN x.n > 0 THEN least(1, (x.w + x.z * x.z / 2 + x.z * sqrt(x.w * (x.n - x.w) / x.n::DOUBLE + x.z * x.z / 4)) / (x.n + x.z * x.z)) END)[1];

-- Wilson's 95 % interval for a share of that variance: for the number of independent trials with the same variance, and
-- Student's t of the variance; for n trials where all are equal, up to rounding (shape.Score).
CREATE MACRO share_varies(share, variance, n) AS share * (1 - share) > 0 AND variance * n > 1e-13;
CREATE MACRO independent_trials(share, variance, n) AS CASE WHEN share_varies(share, variance, n) THEN share * (1 - share) / variance ELSE n END;
CREATE MACRO share_t(share, variance, t, n) AS CASE WHEN share_varies(share, variance, n) THEN t ELSE 1.959963984540054e0 END;
CREATE MACRO share_low(share, variance, t, n) AS list_transform([{'p': share, 'm': independent_trials(share, variance, n), 't': share_t(share, variance, t, n)}], s -> wilson_low(s.p * s.m, s.m, z := s.t))[1];
CREATE MACRO share_high(share, variance, t, n) AS list_transform([{'p': share, 'm': independent_trials(share, variance, n), 't': share_t(share, variance, t, n)}], s -> wilson_high(s.p * s.m, s.m, z := s.t))[1];

-- Student's t at 97.5 % with df degrees of freedom: Cornish and Fisher's expansion to four
-- terms (Abramowitz and Stegun 1964, 26.7.5), 0.7 % too small at 2 degrees, 0.01 % at 5.
CREATE MACRO student_t(df) AS list_transform([df], x -> -- once, where df is a long expression
	1.959963984540054e0 + 2.372271230298562e0 / x + 2.8224986157396112e0 / (x * x) + 2.555849679507722e0 / pow(x, 3) + 1.5895340533938225e0 / pow(x, 4))[1];

-- What the squares of clusters' residuals about a ratio of sums keep of their variance, where the clusters'
-- sizes have the sums of powers s1 to s4: (n - 1) / n for n alike (CR2: Bell and McCaffrey 2002); and the degrees
-- of freedom of that variance (Satterthwaite 1946), n - 1 for n alike.
CREATE MACRO kept_share(s1, s2, s3) AS 1 - 2 * s3::DOUBLE / s1 / s2 + s2::DOUBLE / s1 / s1;
CREATE MACRO cluster_degrees(s1, s2, s3, s4) AS CASE WHEN s4 > 0 THEN greatest(1, s2::DOUBLE / s4 * s2 * kept_share(s1, s2, s3)) END;
-- The same of a variance by player that is so many times that by game: the shares of the players to the powers 1 to 4
-- have the sums s1 to s4. The players' own parts show how soon the largest outweigh the others (Imbens and Kolesár 2016).
CREATE MACRO player_degrees(effect, s1, s2, s3, s4) AS
	list_transform([greatest(0, effect - 1)], x -> greatest(1, pow(s1 + x, 2) / (s2 + 2 * x * s3 / s2 + pow(x / s2, 2) * s4) - 1))[1];

-- Centre v of the bin [v - width/2, v + width/2), a multiple of width, that holds x.
CREATE MACRO eval_bin(x, width) AS floor(x / width::DOUBLE + 0.5) * width;

-- Expected score of a player against an opponent of the given rating (Elo).
CREATE MACRO elo_expectation(rating, opponent) AS
	1 / (1 + pow(10, (opponent - rating) / 400.0::DOUBLE));

-- Whether a game of Go or Shogi has a handicap: then the second player moves first.
CREATE MACRO has_handicap(variant) AS contains(variant, 'handicap');
-- Whether the second player moves first, by the columns of games; mark is what that player to move has in the texts of positions.
CREATE MACRO second_begins(variant, start_position, mark) AS CASE WHEN start_position IS NULL THEN has_handicap(variant)
	ELSE lower(if(start_position[2] = ':', start_position[1], split_part(start_position, ' ', 2))) = mark END;

-- The number of the move after ply others as records write it: that of a move of each side (12. Nf3, 12... Nc6) where
-- numbers count pairs, else the move's own (games.Layout.MoveNumber). Stretches are of 20 moves, the last one of all others.
CREATE MACRO move_number(ply, pairs) AS if(pairs, ply // 2, ply) + 1;
CREATE MACRO move_stretch(ply) AS least(ply // 20, 6);
CREATE MACRO stretch_name(stretch, pairs) AS
	if(stretch = move_stretch(20 * stretch + 20), 'from ' || move_number(20 * stretch, pairs), move_number(20 * stretch, pairs) || ' to ' || move_number(20 * stretch + 19, pairs));

-- Whether kifu fit and the reports hold a game out with --holdout share and --seed seed:
-- splitmix64 (Steele, Lea and Flood 2014) of seed and game, below the share.
CREATE MACRO product_64(a, b) AS ((a::UHUGEINT * b::UHUGEINT) & 18446744073709551615::UHUGEINT)::UBIGINT;
CREATE MACRO sum_64(a, b) AS ((a::UHUGEINT + b::UHUGEINT) & 18446744073709551615::UHUGEINT)::UBIGINT;
CREATE MACRO shift_xor(x, n) AS xor(x, x >> n);
CREATE MACRO splitmix(x) AS shift_xor(product_64(shift_xor(product_64(shift_xor(x, 30), 13787848793156543929), 27), 10723151780598845931), 31);
CREATE MACRO held_out(game, share, seed := 1) AS
	(splitmix(sum_64(splitmix(sum_64(seed, 11400714819323198485)), product_64(game, 11400714819323198485))) >> 11)::DOUBLE / 9007199254740992 < share;

-- Functions whose time is the product of two lengths take texts of up to 500 bytes.
CREATE MACRO short_text(t) AS CASE WHEN strlen(t) > 500 THEN error('a text of more than 500 bytes cannot be compared so') ELSE t END;
CREATE MACRO levenshtein(a, b) AS system.main.levenshtein(short_text(a), short_text(b));
CREATE MACRO editdist3(a, b) AS system.main.editdist3(short_text(a), short_text(b));
CREATE MACRO damerau_levenshtein(a, b) AS system.main.damerau_levenshtein(short_text(a), short_text(b));
CREATE MACRO jaro_similarity(a, b) AS system.main.jaro_similarity(short_text(a), short_text(b));
CREATE MACRO jaro_winkler_similarity(a, b) AS system.main.jaro_winkler_similarity(short_text(a), short_text(b));
