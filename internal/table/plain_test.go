package table

import (
	"strings"
	"testing"
)

// TestPlainAligns: in a terminal columns stand below each other behind names of any script.
func TestPlainAligns(t *testing.T) {
	got := Table{Head: []Cell{Text("player"), Number("games")}, Rows: [][]string{{"羽生善治", "12"}, {"Botvinnik", "7"}, {"이세돌", "105"}}}.Plain()
	want := []string{"player     games", "─────────  ─────", "羽生善治      12", "Botvinnik      7", "이세돌       105", ""}
	if got != strings.Join(want, "\n") {
		t.Errorf("the table is\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}
