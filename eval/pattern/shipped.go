package pattern

import (
	"embed"
	"io/fs"
)

// Tables that ship, by game. experiments/logistello describes how they were made.
//
//go:embed shipped
var shipped embed.FS

// Shipped is the word for the tables that ship, instead of a file.
const Shipped = "tables"

// ReadShipped returns the pattern file and the weights that ship for a game; ok is false where
// there are none.
func ReadShipped(game string) (text, weights []byte, ok bool) {
	text, err := fs.ReadFile(shipped, "shipped/"+game+".toml")
	if err != nil {
		return nil, nil, false
	}
	weights, err = fs.ReadFile(shipped, "shipped/"+game+Extension)
	return text, weights, err == nil
}
