package gametest

import (
	"bytes"
	"fmt"
	"testing"

	"kifu/games"
	"kifu/internal/lists"
	"kifu/kit/golden"
)

// playthrough writes a random game from each start, with every property of each position,
// and compares it with the golden file, so that a change of a rule, a code, a hash or a
// column shows up there.
func playthrough[P games.Position[P]](t *testing.T, r games.Rules[P], o Options) {
	t.Helper()
	var b bytes.Buffer
	names := lists.Of(r.Columns(), func(c games.Column) string { return c.Name })
	fmt.Fprintf(&b, "game: %s\ncolumns: %v\n", r.Name(), names)
	for _, s := range o.Starts {
		fmt.Fprintf(&b, "\nstart: %q %q\n", s.Variant, s.Position)
		replay := r.NewReplay()
		before := startOf(t, r, s)
		replay.Reset(before)
		Random(before, min(o.Plies, 40), o.Seed, func(p P, line []games.Move) {
			if len(line) > 0 {
				m := line[len(line)-1]
				replay.Play(m)
				fmt.Fprintf(&b, "move: %s %s %#04x\n", r.AppendMove(nil, before, m), r.AppendCoordinates(nil, before, m), r.PackMove(before, m))
				before = p
			}
			tactics, forced := p.AppendTactics(nil)
			fmt.Fprintf(&b, "%3d %s\n    hash %016x board %x\n    columns %v\n    moves %d tactics %d forced %t\n",
				len(line), r.AppendPosition(nil, p), p.Hash(), r.AppendBoard(nil, p), r.AppendColumns(nil, p), len(p.AppendMoves(nil)), len(tactics), forced)
			if o, rule := replay.Outcome(); o != games.Undecided {
				fmt.Fprintf(&b, "    outcome %s by %s\n", o, rule)
			}
		})
	}
	golden.Equal(t, o.Playthrough, b.Bytes())
}
