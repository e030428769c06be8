package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"kifu/cmd/kifu/command"
	"kifu/cmd/kifu/gametable"
	"kifu/internal/lists"
)

// readEndings opens the tables of endings in directories.
func readEndings(disk *command.Files, g command.Game, dirs string) (gametable.Endings, error) {
	if g.Endings == nil {
		return nil, command.Usagef("--syzygy %s: Syzygy tables are for chess, not %s", dirs, g.Name)
	}
	list := lists.Of(filepath.SplitList(dirs), disk.Path)
	t, err := g.Endings(strings.Join(list, string(filepath.ListSeparator)))
	if err != nil {
		return nil, fmt.Errorf("--syzygy: %w", err)
	}
	return t, nil
}
