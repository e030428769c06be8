package board

// Sides returns the names of a game's sides, White and Black; "the first player" and "the second player" where g is nil.
func Sides(g Game) [2]string {
	if g == nil {
		return [2]string{"the first player", "the second player"}
	}
	return g.Layout().Sides
}
