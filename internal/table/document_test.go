package table_test

import (
	"reflect"
	"strings"
	"testing"

	"kifu/internal/table"
)

// TestDocumentJSON: what is read is what was written, whatever the texts, and a table
// without rows has a list of none.
func TestDocumentJSON(t *testing.T) {
	d := table.Document{Title: "A < B & \"C\"", Lead: "It | is.", Notes: []string{"one\ntwo", "± ½ 藤井"}, Tables: []table.Table{
		{Name: "t", Caption: "*T*", Head: []table.Cell{table.Text("a|b"), table.Number("n")}, Rows: [][]string{{"", "−1"}, {"x\\y", "2"}}, Long: true, Keys: 1, Group: 1},
		{Caption: "none", Head: []table.Cell{table.Text("x")}, Rows: [][]string{}},
	}}
	data := d.JSON()
	got, err := table.ParseDocument(data)
	if err != nil || !reflect.DeepEqual(got, d) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, d)
	}
	if !strings.Contains(string(data), `A < B & \"C\"`) {
		t.Errorf("signs of HTML are escaped:\n%s", data)
	}
	d.Tables[1].Rows = nil
	if again := d.JSON(); string(again) != string(data) || d.Tables[1].Rows != nil {
		t.Errorf("no rows: %s", again)
	}
}
