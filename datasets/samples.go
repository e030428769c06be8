package datasets

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Sample is a small database that ships inside the program.
type Sample struct {
	Name    string
	Game    string
	File    string // the name to give it: its endings tell format and compression
	Games   int
	Licence string
	About   string
	Data    []byte // as the file's content
}

//go:embed samples/*.zst
var samples embed.FS

// Samples returns the databases that ship, by name. samples/README.md says how each
// was chosen or played.
func Samples() []Sample {
	all := []Sample{
		{Name: "chess-masters", Game: "chess", File: "chess-masters.pgn.zst", Games: 2000, Licence: "public domain", About: "master games from the GNU Chess opening book collection"},
		{Name: "checkers-selfplay", Game: "checkers", File: "checkers-selfplay.pdn.zst", Games: 300},
		{Name: "draughts-selfplay", Game: "draughts", File: "draughts-selfplay.pdn.zst", Games: 250},
		{Name: "giveaway-selfplay", Game: "giveaway", File: "giveaway-selfplay.pdn.zst", Games: 300},
		{Name: "go-selfplay", Game: "go", File: "go-selfplay.sgf.zst", Games: 120},
		{Name: "othello-selfplay", Game: "othello", File: "othello-selfplay.ggf.zst", Games: 300},
		{Name: "russian-selfplay", Game: "russian", File: "russian-selfplay.pdn.zst", Games: 300},
		{Name: "tictactoe-selfplay", Game: "tictactoe", File: "tictactoe-selfplay.pgn.zst", Games: 300},
	}
	for i := range all {
		s := &all[i]
		if s.About == "" {
			s.Licence, s.About = "MIT", "played by kifu match, from random openings"
		}
		var err error
		if s.Data, err = samples.ReadFile("samples/" + s.File); err != nil {
			panic("datasets: " + err.Error()) // it was there when the program was built
		}
	}
	return all
}

// FindSample returns the sample of that name; the error lists the names.
func FindSample(name string) (Sample, error) {
	var names []string
	for _, s := range Samples() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Sample{}, fmt.Errorf("no sample %q; there is %s", name, strings.Join(names, ", "))
}

// WriteFile writes a file under its final name only when it is whole, with the
// directories above it.
func WriteFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	_, err := writeFile(path, data)
	return err
}
