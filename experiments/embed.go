// Package experiments holds the bundled studies: the files of a folder for each
// paper or question, without their pictures and results.
//
// In: nothing. Out: files, for kifu run.
package experiments

import "embed"

// Files has the studies as FOLDER/NAME.toml, and the files that they name.
//
//go:embed */*.toml */*.sfen */*.csv */*.json
var Files embed.FS
