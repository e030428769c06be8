package board

import "context"

type gamesKey struct{}

// With returns a context that knows the games, for what draws positions of datasets.
func With(ctx context.Context, all []Game) context.Context {
	return context.WithValue(ctx, gamesKey{}, all)
}

// Named returns the game of that name that the context knows; nil without one.
func Named(ctx context.Context, name string) Game {
	all, _ := ctx.Value(gamesKey{}).([]Game)
	for _, g := range all {
		if g.Name() == name {
			return g
		}
	}
	return nil
}

// NumbersPairs reports whether move numbers count a move of each side in the game of that name, as in chess and in a game that
// the context does not know.
func NumbersPairs(ctx context.Context, name string) bool {
	g := Named(ctx, name)
	return g == nil || g.Layout().Pairs
}

// SidesOf returns the names of the sides of the game of that name that the context knows, as Sides does.
func SidesOf(ctx context.Context, name string) [2]string { return Sides(Named(ctx, name)) }

// SecondMarkOf returns SecondMark of the game of that name that the context knows.
func SecondMarkOf(ctx context.Context, name string) string { return SecondMark(Named(ctx, name)) }
