package several

import (
	"context"
	"fmt"
	"os"
	urlpath "path"
	"path/filepath"
	"slices"
	"strings"

	"kifu/datasets/remote"
)

// wild are the characters that make a name a pattern.
const wild = "*?["

// isSeveral reports whether path is a pattern or a list. What is there under that name is neither.
func isSeveral(path string) bool {
	if remote.Is(path) {
		return strings.ContainsAny(path, wild) || len(splitList(path)) > 1
	}
	if !strings.ContainsAny(path, wild+string(filepath.ListSeparator)) {
		return false
	}
	_, err := os.Lstat(path)
	return err != nil
}

// Paths returns the paths that a pattern or a list names, or else the name alone.
func Paths(ctx context.Context, name string) (paths []string, err error) {
	if !isSeveral(name) {
		return []string{name}, nil
	}
	for _, path := range splitList(name) {
		if !isSeveral(path) {
			paths = append(paths, path)
			continue
		}
		if remote.Is(path) {
			found, err := match(ctx, path)
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

// match returns the places in object storage that a URL names whose last part is a pattern of path.Match.
func match(ctx context.Context, url string) ([]string, error) {
	above, pattern := urlpath.Split(strings.TrimRight(url, "/"))
	if strings.ContainsAny(above, wild) {
		return nil, fmt.Errorf("%s: in object storage only the last part of a name can be a pattern", url)
	}
	place, err := remote.At(ctx, strings.TrimRight(above, "/"))
	if err != nil {
		return nil, err
	}
	all, err := place.Folders()
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range all {
		fits, err := urlpath.Match(pattern, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", url, err)
		}
		if fits {
			found = append(found, remote.Join(above, name))
		}
	}
	return found, nil
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
