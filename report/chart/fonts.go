package chart

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
)

// fontNames begin the names of files that have Japanese letters, the best for a picture first:
// sans serif before serif, Japanese before Chinese forms.
var fontNames = []string{
	"notosanscjk-regular", "notosanscjkjp-regular", "notosansjp", "sourcehansans", "ipaexg", "ipag", "takaogothic", "vl-gothic-regular", "vl-pgothic",
	"fonts-japanese-gothic", "mplus-1", "hiragino", "ヒラギノ角ゴシック w3", "yugoth", "meiryo", "msgothic", "notoserifcjk-regular", "ipaexm", "ipam", "takaomincho",
	"fonts-japanese-mincho", "yumin", "msmincho", "droidsansfallback", "wqy-", "arial unicode", "unifont",
}

// fontFolders are the folders of the system's fonts: the user's before the shared ones.
func fontFolders() (folders []string) {
	if home, err := os.UserHomeDir(); err == nil {
		folders = []string{filepath.Join(home, ".fonts"), filepath.Join(home, ".local", "share", "fonts"), filepath.Join(home, "Library", "Fonts")}
	}
	return append(folders, "/usr/local/share/fonts", "/usr/share/fonts", "/Library/Fonts", "/System/Library/Fonts", filepath.Join(os.Getenv("WINDIR"), "Fonts"))
}

// findFont returns the first font of fontNames in the folders that has kanji and kana, nil without one.
// Files that are no fonts are skipped.
func findFont(folders []string) *opentype.Font {
	paths := make([]string, len(fontNames))
	for _, folder := range folders {
		filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // an unreadable folder has no font
			}
			name := strings.ToLower(d.Name())
			for i, known := range fontNames {
				if paths[i] == "" && strings.HasPrefix(name, known) {
					paths[i] = path
				}
			}
			return nil
		})
	}
	for _, path := range paths {
		if f := readFont(path); f != nil {
			return f
		}
	}
	return nil
}

// readFont reads a font, or the first of a collection; nil if it lacks Japanese letters.
func readFont(path string) *opentype.Font {
	if path == "" {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	all, err := opentype.ParseCollection(data)
	if err != nil || all.NumFonts() == 0 {
		return nil
	}
	f, err := all.Font(0)
	if err != nil {
		return nil
	}
	var buffer sfnt.Buffer
	for _, r := range "先手あア" {
		if glyph, err := f.GlyphIndex(&buffer, r); err != nil || glyph == 0 {
			return nil
		}
	}
	return f
}
