package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/transform/tree"
)

// cachedTree returns the directory, in the user's cache, of the opening tree of games, which is made if it is not there.
func cachedTree(ctx context.Context, mk *command.Maker, games *datasets.Dir) (string, error) {
	g, err := command.GameOf(games)
	if err != nil {
		return "", err
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cannot store the opening tree of %s: %w: make one with kifu tree, and name it after the games", games.Path, err)
	}
	path, err := filepath.Abs(games.Path)
	if err != nil {
		return "", err
	}
	s := treeStep(g, tree.Params{Depth: treeDepth, MinGames: treeGames}, mk.Workers, []string{games.Path})
	key, err := datasets.KeyOf(ctx, s)
	if err != nil {
		return "", err
	}
	all := filepath.Join(user, "kifu", "trees")
	these := fmt.Sprintf("%s-%.4x-", viewName(filepath.Base(path)), sha256.Sum256([]byte(path)))
	dir := filepath.Join(all, fmt.Sprintf("%s%.4x", these, sha256.Sum256([]byte(key))), "tree")
	err = atOnce(ctx, func() error {
		_, _, err := datasets.Build(ctx, dir, s, datasets.Options{})
		return err
	})
	if err != nil {
		return "", err
	}
	mark := filepath.Join(filepath.Dir(dir), readName)
	if err := os.WriteFile(mark, nil, 0o666); err != nil { // its time is the tree's last use
		return "", err
	}
	return dir, forget(all, these, filepath.Dir(dir))
}
