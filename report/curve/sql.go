package curve

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strconv"

	"kifu/datasets"
	"kifu/query"
	"kifu/report/sheet"
)

// querySQL is the data of curve.sql.
type querySQL struct {
	Bin      string // width, as SQL
	Counted  bool   // draws count
	Bands    bool   // and are shown as themselves
	MinCount int64  // 0: the query chooses
	Sources  []sourceSQL
	Curves   []conditionSQL // the total first
	Players  sheet.Players
}

type sourceSQL struct {
	querySQL
	View, Quoted string // the name as a table and as a text
	Value        string // the column, quoted
	Dedup        bool   // rows are distinct positions with counts
	stored       bool   // the labels can be read without the database
	dir          *datasets.Dir
	known        *known // nil: the games are not given
}

type conditionSQL struct {
	Index       int
	query.Named // no SQL: the total
}

// Quoted is the name as a text of SQL.
func (c conditionSQL) Quoted() string { return query.QuoteText(c.Name) }

// Filter returns the FILTER clause of an aggregate over the condition's rows.
func (c conditionSQL) Filter() string {
	if c.SQL == "" {
		return ""
	}
	return " FILTER (holds" + strconv.Itoa(c.Index) + ")"
}

//go:embed curve.sql
var queryTemplate string

//go:embed games.sql
var gamesTemplate string

// text is the query of the curves.
func (q querySQL) text() (string, error) { return q.fill("curve.sql", queryTemplate) }

func (q querySQL) fill(name, text string) (string, error) {
	t, err := sheet.NewTemplate(name).Parse(text)
	if err != nil {
		return "", err
	}
	if _, err := t.New("curvegames.sql").Parse(gamesTemplate); err != nil {
		return "", err
	}
	if err := sheet.ParseClusters(t); err != nil {
		return "", err
	}
	q.Sources = slices.Clone(q.Sources)
	for i := range q.Sources {
		q.Sources[i].querySQL = querySQL{Bin: q.Bin, Curves: q.Curves}
	}
	var out bytes.Buffer
	err = t.Execute(&out, q)
	return out.String(), err
}

// totalName is the name of the curve over all positions.
const totalName = "total"

func conditions(when []query.Named) []conditionSQL {
	all := []conditionSQL{{0, query.Named{Name: totalName}}}
	for i, n := range when {
		all = append(all, conditionSQL{i + 1, n})
	}
	return all
}

// rated begins the names of the bands of ratings, which need no SQL.
const rated = "rated "

// RatingBands are conditions on the mean rating of the two players: below the first
// bound, between neighbours, from the last on. Games without both ratings are in none.
func RatingBands(bounds []int) ([]query.Named, error) {
	const mean = "(first_elo + second_elo) / 2.0"
	var bands []query.Named
	for i, bound := range bounds {
		if i > 0 && bound <= bounds[i-1] {
			return nil, fmt.Errorf("%d after %d: want ratings in ascending order", bound, bounds[i-1])
		}
		if i == 0 {
			bands = append(bands, query.Named{Name: fmt.Sprintf("%sbelow %d", rated, bound), SQL: fmt.Sprintf("%s < %d", mean, bound)})
			continue
		}
		bands = append(bands, query.Named{Name: fmt.Sprintf("%s%d to %d", rated, bounds[i-1], bound-1), SQL: fmt.Sprintf("%s >= %d AND %s < %d", mean, bounds[i-1], mean, bound)})
	}
	if n := len(bounds); n > 0 {
		bands = append(bands, query.Named{Name: fmt.Sprintf("%s%d and above", rated, bounds[n-1]), SQL: fmt.Sprintf("%s >= %d", mean, bounds[n-1])})
	}
	return bands, nil
}
