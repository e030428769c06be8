package fit

import (
	"fmt"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/fit/losses"
)

// ParseSchedule reads numbers for one epoch after the other, as in 0.95,0.7,0.5.
func ParseSchedule(text string) (out []float64, err error) {
	for _, one := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(one), 64)
		if err != nil {
			return nil, fmt.Errorf("%q: want numbers with commas between, one an epoch, as in 0.5,0.2,0.1", text)
		}
		out = append(out, x)
	}
	return out, nil
}

// temporal reports whether the method learns from the order of a game's positions.
func (p choices) temporal() bool { return p.name == losses.TD || p.name == losses.LSTD }

// validateTemporal reports a λ or a step that makes no sense.
func (p choices) validateTemporal() error {
	for _, x := range p.Lambda {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("lambda %v: want numbers from 0 to 1", x)
		}
	}
	for _, x := range p.Alpha {
		if !(x > 0 && x <= 1000) {
			return fmt.Errorf("alpha %v: want numbers above 0", x)
		}
	}
	switch {
	case p.Epochs < 0 || p.Epochs > 100_000:
		return fmt.Errorf("epochs %d: want a number that is not negative", p.Epochs)
	case p.name == losses.LSTD && len(p.Lambda) > 1:
		return fmt.Errorf("method %s: want one λ", losses.LSTD)
	}
	return nil
}

// sequential refuses labels whose rows are not games in the order of their plies.
func sequential(dir *datasets.Dir) error {
	switch {
	case dir.Table.Index("ply") < 0:
		return fmt.Errorf("%s has no column \"ply\": temporal differences follow the positions of a game", dir.Path)
	case dir.Table.Index("first_wins") >= 0:
		return fmt.Errorf("%s has distinct positions (transform --dedup), which are in many games: temporal differences need each game's own", dir.Path)
	}
	return nil
}
