package computed

import (
	"fmt"
	"math"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/fit/rows"
	"kifu/internal/lists"
	"kifu/schemas"
)

// blunder is who, if anybody, blundered in a position.
type blunder uint8

const (
	none blunder = iota
	byFirst
	bySecond
)

// LookForBlunders has the blunders of every part found that cost more than limit.
func (x *Labels) LookForBlunders(leaf string, limit float64) error {
	for _, name := range []string{"ply", "first_to_move"} {
		if x.dir.Table.Index(name) < 0 {
			return fmt.Errorf("%s has no column %q: --without-blunders follows the moves of a game", x.dir.Path, name)
		}
	}
	x.leaf, x.limit, x.gaps = leaf, limit, make([]int64, x.dir.NumParts())
	return nil
}

// findBlunders returns for every row of part i of dir whether the move played there cost more than limit. The
// cost is the fall of the value to the next position, for the player who moved. gaps counts rows whose next
// position is not in the labels, so the cost is unknown. Both values come from the labels' own search, so a
// reply on the principal variation, which keeps the value, is no blunder.
//
// LBNB (Mańdziuk, Knowledge-Free and Learning-Based Methods in Intelligent Game Playing, 2010, 9.2.3) learns
// from wins and losses without blunders. In games that the learner won, it drops the step over an unforeseen
// reply of the opponent that raised the learner's value. In records every winner counts as a learner: lost
// marks the rows that are dropped.
func findBlunders(dir *datasets.Dir, i int, leaf string, limit float64) (out []blunder, gaps int64, err error) {
	f := &blunderFinder{limit: limit}
	batch := columns.NewBatch(dir.Table, "game_id", "ply", "first_to_move", leaf)
	info, err := dir.Info(i)
	if err != nil {
		return nil, 0, err
	}
	// What follows the last row is in the next part that has one.
	for _, err := range dir.Groups(batch, lists.N(dir.NumParts()-i, func(k int) int { return i + k })...) {
		if err != nil {
			return nil, 0, err
		}
		for row := 0; row < batch.Rows && int64(len(f.out)) < info.Rows; row++ {
			f.add(moment{batch.Col("game_id").Int64[row], batch.Col("ply").Int32[row], batch.Col("first_to_move").Bool[row], batch.Col(leaf).Float32[row]})
		}
		if int64(len(f.out)) == info.Rows {
			break
		}
	}
	return f.end(info.Rows), f.gaps, nil
}

// moment is the data of a position by which blunders are found.
type moment struct {
	game  int64
	ply   int32
	first bool // is to move
	value float32
}

// blunderFinder takes rows in their order; a row whose next one has not come yet waits.
type blunderFinder struct {
	limit float64
	last  *moment
	out   []blunder
	gaps  int64
}

func (f *blunderFinder) add(m moment) {
	if f.last != nil {
		f.out = append(f.out, f.judge(f.last, &m))
	}
	f.last = &m
}

func (f *blunderFinder) judge(m, next *moment) blunder {
	switch loss := float64(m.value) - float64(next.value); {
	case next.game != m.game:
	case next.ply != m.ply+1:
		f.gaps++
	case math.IsNaN(loss) || math.IsInf(loss, 0): // as where a value is no number
	case m.first && loss > f.limit:
		return byFirst
	case !m.first && -loss > f.limit:
		return bySecond
	}
	return none
}

// end returns what was found in so many rows.
func (f *blunderFinder) end(rows int64) []blunder {
	if int64(len(f.out)) < rows {
		f.out = append(f.out, none) // nothing follows
	}
	return f.out
}

// Unseen counts the positions whose next one is not in the labels, so that their moves' cost is
// unknown.
type Unseen struct{ positions, of int64 }

// Unseen returns the count of the parts that were read; nil if blunders are not looked for.
func (x *Labels) Unseen() *Unseen {
	if x.limit == 0 {
		return nil
	}
	u := &Unseen{of: x.dir.Rows()}
	for _, n := range x.gaps {
		u.positions += n
	}
	return u
}

// Followed refuses labels whose positions are rarely followed by the next one.
func (x *Labels) Followed() error {
	u := x.Unseen()
	if u == nil || u.positions*2 <= u.of {
		return nil
	}
	return fmt.Errorf("%s: %d of %d positions are not followed by the next one of their game, as in a sample or after --dedup: --without-blunders needs games whose plies were all labelled", x.dir.Path, u.positions, u.of)
}

// Lost reports whether the player who lost all games of the row blundered in it.
func (p *Part) Lost(at int, won rows.Results) bool {
	if p.blunders == nil || won.Draws > 0 {
		return false
	}
	switch p.blunders[at] {
	case byFirst:
		return won.First == 0 && won.Second > 0
	case bySecond:
		return won.Second == 0 && won.First > 0
	}
	return false
}

// Note counts the blunders that may have been missed.
func (u *Unseen) Note() []schemas.FitNote {
	if u == nil || u.positions == 0 {
		return nil
	}
	return []schemas.FitNote{{Kind: "blunders", Text: fmt.Sprintf("%d of %d positions are not followed by the next one of their game: what was played there may be a blunder that --without-blunders does not see", u.positions, u.of)}}
}
