package board

// Sides returns the names of the sides in games of the variants: White and Black, but "first player" and "second
// player" where the variants differ in who begins, or where g is nil.
func Sides(g Game, variants []string) (sides [2]string) {
	other := [2]string{"first player", "second player"}
	if g == nil {
		return other
	}
	for _, variant := range variants {
		b, err := g.Start(variant, "")
		if err != nil {
			continue
		}
		switch of := b.Layout().Sides; {
		case sides == [2]string{}:
			sides = of
		case sides != of:
			return other
		}
	}
	if sides == [2]string{} {
		return other
	}
	return sides
}
