package report

import (
	"bytes"
	_ "embed"
	"strconv"
	"strings"
	"text/template"

	"kifu/query"
)

// curveSQL is the data of sql/curve.sql.
type curveSQL struct {
	Bin      string // width, as SQL
	Half     bool   // a draw counts half a win
	MinCount int64  // 0: the query chooses
	Sources  []sourceSQL
	Curves   []conditionSQL // the total first
}

type sourceSQL struct {
	curveSQL
	View, Quoted string // the name as a table and as a text
	Value        string // the column, quoted
	Dedup        bool   // rows are distinct positions with counts
}

type conditionSQL struct {
	Index             int
	Name, Quoted, SQL string // no SQL: the total
}

// Filter is what an aggregate over the condition's rows has behind it.
func (c conditionSQL) Filter() string {
	if c.SQL == "" {
		return ""
	}
	return " FILTER (holds" + strconv.Itoa(c.Index) + ")"
}

//go:embed sql/curve.sql
var curveTemplate string

// text fills in the template.
func (q curveSQL) text() (string, error) {
	t, err := template.New("curve.sql").Parse(curveTemplate)
	if err != nil {
		return "", err
	}
	for i := range q.Sources {
		q.Sources[i].curveSQL = curveSQL{Bin: q.Bin, Curves: q.Curves}
	}
	var out bytes.Buffer
	err = t.Execute(&out, q)
	return out.String(), err
}

// totalName is the name of the curve over all positions.
const totalName = "total"

func conditions(when []query.Named) []conditionSQL {
	all := []conditionSQL{{0, totalName, quoteText(totalName), ""}}
	for i, n := range when {
		all = append(all, conditionSQL{i + 1, n.Name, quoteText(n.Name), n.SQL})
	}
	return all
}

func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
