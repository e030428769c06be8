package views

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kifu/explore/models"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/games/board"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/players/choose"
	"kifu/report/sheet"
)

const (
	expectedMoves = 8 // moves that the table shows
	expectedTerms = 3 // of each
)

// expectedTable is the table of moves that people are expected to choose.
type expectedTable struct {
	Set     *site.Set
	Rating  float64 // 0: the middle one
	Ratings []ratingLink
	Rows    []expectedRow
}

type ratingLink struct {
	Rating float64
	At     string
}

type expectedRow struct {
	Move, Percent, Why string
	Played             bool
}

// peopleOf returns the model of human moves in the game of a dataset, and the dataset that has it; nil for none.
func (s *Pages) peopleOf(d *site.Set) (models.People, *site.Set, error) {
	i := slices.IndexFunc(s.sets, func(o *site.Set) bool { return o.Stage() == "human" && o.Game() == d.Game() })
	bind := s.games[d.Game()].People
	if i < 0 || bind == nil {
		return nil, nil, nil
	}
	of := s.sets[i]
	p, err := kept(s, s.people, of.Name, func() (models.People, error) {
		m, err := choose.Read(filepath.Join(of.Dir.Path, choose.File))
		if err != nil {
			return nil, err
		}
		return bind(m)
	})
	return p, of, err
}

// expect fills in the moves that people of the rating in the address choose in the position.
func (data *positionPage) expect(c *call, d *site.Set, b board.Board, played string) error {
	people, of, err := c.site.peopleOf(d)
	if err != nil || people == nil || d.Games == nil {
		return err
	}
	r, err := c.query(fmt.Sprintf("SELECT variant, start_position, moves FROM %s WHERE game_id = %d", d.Games.View(), data.Game), 1)
	if err != nil {
		return err
	}
	rows, err := r.All()
	if err != nil || len(rows) == 0 {
		return err
	}
	f := sheet.Fields{Columns: r.Columns, Row: rows[0]}
	codes, _ := f.At("moves").([]byte)
	t := &expectedTable{Set: of, Rating: float64(c.here.Number("rating", 0))}
	moves, err := people.Expect(f.Text("variant"), f.Text("start_position"), codes, int(data.Ply), t.Rating)
	if err != nil || len(moves) == 0 {
		return err
	}
	for _, rating := range people.Ratings() {
		t.Ratings = append(t.Ratings, ratingLink{rating, c.here.With("rating", rating)})
	}
	for i, m := range moves {
		if i < expectedMoves || m.Move == played {
			t.Rows = append(t.Rows, expectedRow{parts.MoveText(b, int(data.Ply), m.Move, c.here.Look().Western), human.Percent(m.Chance, 1), why(m.Terms), m.Move == played})
		}
	}
	data.Expected = t
	return nil
}

// why lists the terms that matter most.
func why(terms []choose.Term) string {
	all := lists.Of(terms[:min(len(terms), expectedTerms)], func(t choose.Term) string { return t.Feature + " " + human.Signed(t.Odds, 1) })
	return strings.Join(all, ", ")
}
