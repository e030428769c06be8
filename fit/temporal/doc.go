// Package temporal learns from the order of a game's positions: each value is drawn to the next one, and the
// last value to the result.
//
//	TD(λ)    Δθ = α Σ_t (V_{t+1} - V_t) e_t,  e_t = λ e_{t-1} + ∇V_t     (Sutton 1988)
//	LSTD(λ)  θ = A⁻¹b,  A = Σ_t e_t (x_t - x_{t+1})ᵀ,  b = Σ_t e_t r_t  (Bradtke and Barto
//	         1996; with λ Boyan 2002)
//
// V_t is the value of position t, x_t its line of the design, V_{m+1} the result: the book
// of Mańdziuk (Knowledge-Free and Learning-Based Methods in Intelligent Game Playing, 2010,
// 5.3) has TD(λ) as equation 5.12. Values are all seen from the first player's side. Where a
// line belongs to the leaf of a search, TD(λ) is TDLeaf(λ) (Baxter, Tridgell and Weaver
// 1998; 5.3.3 of the book).
//
// θ is held while a game is learned from, so that the sums can be taken from the end of the
// game to its start: Σ_t δ_t e_t = Σ_k ∇V_k c_k with c_k = δ_k + λ c_{k+1}. That takes time
// in proportion to the counts of the lines, where traces take a step for every weight.
//
// The package uses no rows and no games: fit/solve hands it sequences.
package temporal
