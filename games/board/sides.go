package board

// Sides returns the names of a game's sides, White and Black; "first player" and "second player" where g is nil.
func Sides(g Game) [2]string {
	if g == nil {
		return [2]string{"first player", "second player"}
	}
	return g.Layout().Sides
}
