package source

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// IsArchive reports whether a file is an archive, by its name. Names that begin with ._ belong to macOS's own files.
func IsArchive(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return !strings.HasPrefix(name, "._") && slices.ContainsFunc(archives, func(ext string) bool { return strings.HasSuffix(name, ext) })
}

// MayHold reports whether a file or a member of an archive is, by its name, one that may hold records or
// anything else, so that its content decides.
func MayHold(name string) bool {
	switch Extension(name) {
	case ".txt", ".json", ".csv", ".parquet":
		return !strings.HasPrefix(filepath.Base(name), "._")
	}
	return false
}

// Extension returns the extension of a path, before the extension of a compression, in lower case.
func Extension(path string) string {
	name := strings.ToLower(filepath.Base(path))
	if ext := filepath.Ext(name); slices.Contains(compressed, ext) {
		name = strings.TrimSuffix(name, ext)
	}
	return filepath.Ext(name)
}

// Bare returns the name of a file without its folder and the endings of archives and compression:
// my.pgn for /data/my.pgn.tar.gz.
func Bare(path string) string {
	name := filepath.Base(path)
	for {
		ext := filepath.Ext(name)
		if lower := strings.ToLower(ext); !slices.Contains(compressed, lower) && !slices.Contains(archives, lower) {
			return name
		}
		name = strings.TrimSuffix(name, ext)
	}
}

// TextName returns a file's name as a column of text can have it: bytes that are no UTF-8
// and control characters are U+FFFD.
func TextName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(name, "\uFFFD"))
}
