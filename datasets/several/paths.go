package several

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets/remote"
)

// Is reports whether path is a pattern or a list. What is there under that name is neither.
func Is(path string) bool {
	if remote.Is(path) {
		return strings.ContainsAny(path, remote.Wild) || len(splitList(path)) > 1
	}
	if !strings.ContainsAny(path, remote.Wild+string(filepath.ListSeparator)) {
		return false
	}
	_, err := os.Lstat(path)
	return err != nil
}

// Paths returns the paths that a pattern or a list of paths names.
func Paths(ctx context.Context, name string) (paths []string, err error) {
	for _, path := range splitList(name) {
		if !Is(path) {
			paths = append(paths, path)
			continue
		}
		if remote.Is(path) {
			found, err := remote.Match(ctx, path)
			if err != nil {
				return nil, err
			}
			paths = append(paths, found...)
			continue
		}
		found, err := filepath.Glob(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		paths = append(paths, slices.DeleteFunc(found, func(path string) bool {
			info, err := os.Stat(path)
			return err != nil || !info.IsDir()
		})...)
	}
	return paths, nil
}

// splitList divides a list of paths as filepath.SplitList does, but a URL goes on until the next one.
func splitList(name string) (paths []string) {
	parts := filepath.SplitList(name)
	for i, part := range parts {
		last, scheme := len(paths)-1, i+1 < len(parts) && strings.HasPrefix(parts[i+1], "//")
		if last >= 0 && !scheme && (strings.HasPrefix(part, "//") || remote.Is(paths[last])) {
			paths[last] += ":" + part
		} else {
			paths = append(paths, part)
		}
	}
	return paths
}
