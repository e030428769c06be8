package sheet

import (
	"context"
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"text/template"

	"kifu/datasets/bygame"
	"kifu/query"
)

// Heads is the data of the template "heads", which makes the table heads(view, game_id, head) of a query WITH
// RECURSIVE. Games that share a position at the same ply from FromPly on, directly or through other games,
// have one head. They are held out together or not at all, as in kifu fit.
type Heads struct {
	Views []HeadsOf
	Found string // as SQL, the view of the heads that Find has found; empty: the query finds them
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

// foundName is the view of the heads that are found.
const foundName = "copies of games"

// copiesMemory is the memory for finding copies, in bytes.
const copiesMemory = 256 << 20

// Find finds the heads as kifu fit does, in a fraction of the query's time. It returns the Heads for the queries that are
// run; those for the published ones stay as they are.
func (h Heads) Find(ctx context.Context, db *query.DB) (Heads, error) {
	if !h.On() {
		return h, nil
	}
	var rows [][]int64
	for _, v := range h.Views {
		copies, err := bygame.CopiesOf(ctx, db.Dataset(v.View), db.Dataset(v.Games), "copies", copiesMemory)
		if err != nil {
			return h, err
		}
		if copies == nil {
			continue
		}
		for _, game := range slices.Sorted(maps.Keys(copies.Of)) {
			rows = append(rows, []int64{int64(v.Number), game, copies.Of[game]})
		}
	}
	h.Found = query.View(foundName)
	return h, db.Rows(ctx, foundName, []string{"view", "game_id", "head"}, rows)
}

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
