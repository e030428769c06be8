package sheet

import (
	_ "embed"
	"slices"
	"strconv"
	"text/template"
)

// Heads is the data of the template "heads", which makes the table heads(view, game_id, head) of a query WITH
// RECURSIVE. Games that share a position at the same ply from FromPly on, directly or through other games,
// have one head. They are held out together or not at all, as in kifu fit.
type Heads struct {
	Views []HeadsOf
	share string
	seed  uint64
}

// HeadsOf is a dataset whose games are held out.
type HeadsOf struct {
	Number      int
	View, Games string // Games is empty if unknown
	Hashed      bool   // rows have the hash of the position
}

// HeadsOf returns the heads of the contenders' datasets, of whose games a share is held out by
// seed. Players reports where their games are.
func (p Players) HeadsOf(all []Contender, share float64, seed uint64) (h Heads) {
	h.share, h.seed = strconv.FormatFloat(share, 'g', -1, 64), seed
	if share == 0 {
		return h
	}
	for _, k := range all {
		if slices.ContainsFunc(h.Views, func(v HeadsOf) bool { return v.View == k.View }) {
			continue
		}
		v := HeadsOf{Number: len(h.Views), View: k.View, Hashed: k.Hashed}
		for _, s := range p.Sources {
			if s.View == k.View {
				v.Games = s.Games
			}
		}
		if v.Hashed || v.Games != "" {
			h.Views = append(h.Views, v)
		}
	}
	return h
}

// FromPly is the ply from which on equal positions identify copies of games.
func (Heads) FromPly() int { return 30 }

// On reports whether copies can be found.
func (h Heads) On() bool { return len(h.Views) > 0 }

// Side is the data of the template "side": the games of a view on one side of a hold-out.
type Side struct {
	View         string
	Number       int
	Known, Train bool
	Share        string
	Seed         uint64
}

// Held returns the games of a view that are held out, Train the others.
func (h Heads) Held(view string) Side { return h.side(view, false) }

// Train returns the games of a view that are not held out.
func (h Heads) Train(view string) Side { return h.side(view, true) }

func (h Heads) side(view string, train bool) Side {
	s := Side{View: view, Train: train, Share: h.share, Seed: h.seed}
	for _, v := range h.Views {
		if v.View == view {
			s.Number, s.Known = v.Number, true
		}
	}
	return s
}

//go:embed heads.sql
var headsTemplate string

// parseHeads adds the templates "heads" and "side" to a query's.
func parseHeads(t *template.Template) error {
	_, err := t.New("heads.sql").Parse(headsTemplate)
	return err
}
