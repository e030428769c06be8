package fit

import (
	"bytes"
	"fmt"

	"kifu/datasets"
	"kifu/fit/losses"
)

// Why moves are left out.
const (
	playedOut     = "the move played is left out"
	noAlternative = "no alternative is left"
)

// Moves reports whether a method fits to choices, not to labels.
func Moves(method string) bool { return losses.DecisionsOf(method) != nil }

// Wants refuses a dataset that a method is not for.
func Wants(method string, dir *datasets.Dir) error {
	want, why := "labels", fmt.Sprintf("method %s fits to results or values of positions: give labels (kifu label)", method)
	if Moves(method) {
		want, why = "choices", fmt.Sprintf("method %s fits to the moves played: give choices of the same positions (kifu choices)", method)
	}
	if err := dir.Want(want); err != nil {
		return fmt.Errorf("%w: %s", err, why)
	}
	return nil
}

// Alike refuses two datasets whose values and features are not of one evaluator and
// search.
func Alike(a, b *datasets.Dir) error {
	text, err := a.ReadFile("weights.toml")
	if err != nil {
		return err
	}
	other, err := b.ReadFile("weights.toml")
	if err != nil {
		return err
	}
	if !bytes.Equal(text, other) || a.Manifest.Meta["leaf"] != b.Manifest.Meta["leaf"] || a.Manifest.Meta["zeroed"] != b.Manifest.Meta["zeroed"] {
		return fmt.Errorf("%s has %s of another evaluator or search than %s: label both with the same flags", b.Path, b.Table.Name, a.Path)
	}
	return nil
}

// choice appends x, a move that could be played.
func (d *decoder) choice(i int, x *readRow) {
	x.Weight, x.Y = 1, losses.OtherRow
	if d.col.played.Bool[i] {
		x.Y = losses.PlayedRow
	}
	if !d.col.turn.Bool[i] {
		x.Y = -x.Y
	}
	d.keep(x)
}
