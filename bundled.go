package kifu

import (
	"embed"
	"io/fs"
)

// Citation is CITATION.cff: how papers cite the program.
//
//go:embed CITATION.cff
var Citation string

//go:embed experiments/*/*.toml experiments/*/*.sfen experiments/*/*.csv experiments/*/*.json
var experiments embed.FS

// Studies returns the bundled studies as FOLDER/NAME.toml, a folder for each paper or question, with the files that
// they name but without pictures and results.
func Studies() fs.FS {
	studies, err := fs.Sub(experiments, "experiments")
	if err != nil {
		panic(err) // the name is a valid one
	}
	return studies
}
