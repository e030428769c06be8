package rows

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/eval"
	"kifu/fit/losses"
	"kifu/fit/mapped"
)

// pieces are rows of whole games in pieces, as the row groups of labels; with games that go on
// into the next piece.
func pieces(r *rand.Rand, n, terms int) (all [][]*Row) {
	game := int64(0)
	for range n {
		var piece []*Row
		for size := 1 + r.IntN(3*chunkRows/2); len(piece) < size; {
			game++
			for range 1 + r.IntN(90) {
				x := &Row{Game: game, Value: 100 * r.NormFloat64(), Y: float64(r.IntN(2)), Weight: 1, Phase: r.IntN(25), Stratum: NoStratum}
				for slot := r.IntN(5); slot < terms; slot += 1 + r.IntN(9) {
					x.Features = append(x.Features, Count{uint32(slot), int16(r.IntN(7) - 3)})
				}
				piece = append(piece, x)
			}
		}
		if last := len(piece) - 1; len(all) > 0 && piece[0].Game != piece[last].Game {
			// The first game of the piece began in the one before.
			before := &all[len(all)-1]
			*before = append(*before, piece[0])
			piece = piece[1:]
		}
		all = append(all, piece)
	}
	return all
}

func sharedDesign(terms int) *Design {
	m := &eval.Model{Stages: []string{"opening", "endgame"}, Knots: []int{24, 0}}
	var free []int
	for i := range terms {
		free = append(free, i)
		m.Terms = append(m.Terms, eval.Term{Weights: []float64{0, 0}})
	}
	return NewDesign(m, free, nil, nil)
}

// TestSharesAddUp: whoever reads some pieces, in any order, has the sums of their chunks to the
// last bit, and the sum of all is put together from them.
func TestSharesAddUp(t *testing.T) {
	const terms = 40
	r := rand.New(rand.NewPCG(1, 1))
	all := pieces(r, 7, terms)
	theta := make([]float64, 2*terms+1)
	for i := range theta {
		theta[i] = 0.1 * r.NormFloat64()
	}
	theta[2*terms] = 0.005
	// Whoever reads a piece leaves the game out that began in the one before, and reads to the
	// end of the last one.
	whole := make([][]*Row, len(all))
	at := 0
	for i, piece := range all {
		for k, x := range piece {
			if k == 0 && i > 0 && x.Game == all[i-1][len(all[i-1])-1].Game {
				at = i - 1
			} else if k > 0 && x.Game != piece[k-1].Game || k == 0 {
				at = i
			}
			whole[at] = append(whole[at], x)
		}
	}
	b := NewBuilder(sharedDesign(terms))
	for _, piece := range all {
		for _, x := range piece {
			b.Add(x)
		}
		b.Cut()
	}
	full := b.Finish()
	want := make([]float64, len(theta)+1)
	want[len(theta)] = full.Pass(losses.Logistic{}, theta, 2, want[:len(theta)])

	var total tree
	chunks := 0
	for i, piece := range whole {
		alone := NewBuilder(sharedDesign(terms))
		if i%2 == 1 { // atoms in another order than they have in the whole, and some more
			for slot := terms - 1; slot >= 0; slot-- {
				alone.code(Count{uint32(slot), int16(slot % 5)})
			}
		}
		for _, x := range piece {
			alone.Add(x)
		}
		share := alone.Finish()
		for k, chunk := range share.Chunks {
			one := *share
			one.Chunks = share.Chunks[k : k+1]
			got := make([]float64, len(theta)+1)
			got[len(theta)] = one.Pass(losses.Logistic{}, theta, 1, got[:len(theta)])
			total.add(got)
			chunks++
			if a, b := full.rowsOf(full.Chunks[chunks-1]), share.rowsOf(chunk); a != b {
				t.Fatalf("piece %d, chunk %d: %d rows, %d in the whole", i, k, b, a)
			}
		}
	}
	got := make([]float64, len(want))
	total.sum(got)
	if chunks != len(full.Chunks) || chunks < 8 {
		t.Fatalf("%d chunks of shares, %d of the whole", chunks, len(full.Chunks))
	}
	if !slices.Equal(got, want) {
		t.Errorf("shares add up to\n%v, the whole is\n%v", got, want)
	}
}

func (r *Store) rowsOf(chunk Span) (n int) {
	for _, b := range r.Blocks[chunk.From:chunk.To] {
		n += b.Rows()
	}
	return n
}

// TestSpill: rows in memory, in a file, and those for which memory ends halfway give the same.
func TestSpill(t *testing.T) {
	const terms = 40
	all := pieces(rand.New(rand.NewPCG(2, 2)), 2, terms)
	theta := make([]float64, 2*terms+1)
	for i := range theta {
		theta[i] = 0.01 * float64(i%7)
	}
	var want []float64
	size := int64(0)
	for _, most := range []int64{1 << 40, 0, -1} {
		if most < 0 {
			most = size / 2
		}
		b := NewBuilder(sharedDesign(terms))
		b.Spill, b.Blend, b.Levels = mapped.New(t.TempDir(), most), true, true
		for _, piece := range all {
			for i, x := range piece {
				x.Target, x.Level, x.Weight = float64(i), uint8(i%3), 1+float64(i/5000)
				b.Add(x)
			}
			b.Cut()
		}
		r := b.Finish()
		if err := b.Spill.MapIn(); err != nil {
			t.Fatal(err)
		}
		if b.Spill.Used() != (most < 1<<40) {
			t.Errorf("%d bytes of %d: a file %v", most, b.Spill.Size(), b.Spill.Used())
		}
		size = b.Spill.Size()
		r.ByGame()
		r.Blend(0.5, 0.01)
		got := make([]float64, len(theta))
		got = append(got, r.Pass(losses.Logistic{}, theta, 2, got))
		h := r.Hessian(theta, losses.Logistic{}, losses.Exact, 2)
		got = append(got, h.RawSymmetric().Data...)
		for _, b := range r.Blocks {
			for _, l := range b.Level {
				got = append(got, float64(l))
			}
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("with %d bytes of memory: other sums", most)
		}
		if err := b.Spill.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
