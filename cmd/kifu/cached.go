package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/transform"
	"kifu/transform/tree"
)

// cachedTree returns the directory, in the user's cache, of the opening tree of games, which is made if it is not there.
func cachedTree(ctx context.Context, mk *command.Maker, games *datasets.Dir) (string, error) {
	return cachedOf(ctx, mk, games, "tree", func(g command.Game) datasets.Step {
		return treeStep(g, tree.Params{Depth: treeDepth, MinGames: treeGames}, mk.Workers, []string{games.Path})
	})
}

// cachedPositions returns the directory, in the user's cache, of the first plies of games, which are replayed if they are not there.
func cachedPositions(ctx context.Context, mk *command.Maker, games *datasets.Dir, plies int) (string, error) {
	return cachedOf(ctx, mk, games, "positions", func(g command.Game) datasets.Step {
		p := transform.Params{MaxPly: plies}
		return datasets.Step{Stage: "transform", Output: "positions/v1", Params: p, Inputs: []string{games.Path},
			Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
				return g.Transform(ctx, p, transform.Options{Workers: mk.Workers}, in[0], b)
			}}
	})
}

// cachedOf returns the directory, in the user's cache, of a dataset that a step makes of games, which is made if it is not there.
func cachedOf(ctx context.Context, mk *command.Maker, games *datasets.Dir, kind string, step func(command.Game) datasets.Step) (string, error) {
	g, err := command.GameOf(games)
	if err != nil {
		return "", err
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cannot store the %s of %s: %w: make them a dataset of their own (kifu tree, kifu transform)", kind, games.Path, err)
	}
	path, err := filepath.Abs(games.Path)
	if err != nil {
		return "", err
	}
	s := step(g)
	key, err := datasets.KeyOf(ctx, s)
	if err != nil {
		return "", err
	}
	all := filepath.Join(user, "kifu", kind)
	these := fmt.Sprintf("%s-%.4x-", viewName(filepath.Base(path)), sha256.Sum256([]byte(path)))
	dir := filepath.Join(all, fmt.Sprintf("%s%.4x", these, sha256.Sum256([]byte(key))), kind)
	err = atOnce(ctx, func() error {
		_, _, err := datasets.Build(ctx, dir, s, datasets.Options{})
		return err
	})
	if err != nil {
		return "", err
	}
	mark := filepath.Join(filepath.Dir(dir), readName)
	if err := os.WriteFile(mark, nil, 0o666); err != nil { // its time is the last use
		return "", err
	}
	return dir, forget(all, these, filepath.Dir(dir))
}
