package card

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"kifu/internal/checksum"
	"kifu/kit/sample"
	"kifu/schemas"
)

// TestCroissant: croissant.json has every part with its checksum and a field for every column but maps, each of which
// finds its files; mlcroissant validates such files without warnings.
func TestCroissant(t *testing.T) {
	games := sample.Games(t.TempDir())
	f := Facts{Repo: "me/masters", Licence: "cc0-1.0", Date: "2024-05-01", Citation: "@misc{a}"}
	text, err := f.Croissant(games)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Distribution []struct {
			ID     string `json:"@id"`
			SHA256 string
		}
		RecordSet []struct {
			Field []struct {
				Name, DataType, Description string
				Repeated                    bool
				Source                      struct {
					FileSet struct {
						ID string `json:"@id"`
					}
					Extract struct{ Column string }
				}
			}
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, file := range got.Distribution {
		sums[file.ID] = file.SHA256
	}
	for i := range games.NumParts() {
		info, err := games.Info(i)
		if err != nil {
			t.Fatal(err)
		}
		if sum, _, err := checksum.File(filepath.Join(games.Path, info.Name)); err != nil || sums[info.Name] != sum {
			t.Errorf("%s has the checksum %s, and %s in the file (%v)", info.Name, sums[info.Name], sum, err)
		}
	}
	types := map[string]string{"game_id": "sc:Integer", "evals": "sc:Integer", "moves": "sc:Text", "event": "sc:Text"}
	fields := got.RecordSet[0].Field
	if len(fields) != len(schemas.Games.Columns)-1 {
		t.Errorf("%d fields, want all columns but tags", len(fields))
	}
	for _, field := range fields {
		if _, there := sums[field.Source.FileSet.ID]; !there || field.Source.Extract.Column != field.Name || field.Description == "" {
			t.Errorf("field %+v", field)
		}
		if want := types[field.Name]; want != "" && field.DataType != want || field.Repeated != (field.Name == "evals" || field.Name == "clocks_ms") {
			t.Errorf("%s is of %s, repeated %t", field.Name, field.DataType, field.Repeated)
		}
	}
}

// TestMetadata: the head of the card has the Hub's words for licences and sizes, and Arrow's for types.
func TestMetadata(t *testing.T) {
	positions := sample.Positions(t.TempDir())
	f := Facts{Repo: "me/positions", Licence: "CC0-1.0"}
	head, _, _ := strings.Cut(strings.TrimPrefix(string(f.README(positions)), "---\n"), "\n---\n")
	for _, line := range []string{"license: cc0-1.0", "pretty_name: \"Positions of chess\"", "  - name: \"board\"\n    dtype: fixed_size_binary[32]",
		"  - name: \"hash\"\n    dtype: uint64", "    path: part-*.parquet", "  - name: \"first_to_move\"\n    dtype: bool"} {
		if !strings.Contains(head+"\n", line+"\n") {
			t.Errorf("no %q in\n%s", line, head)
		}
	}
	if strings.Contains(head, "\n  columns:") {
		t.Error("columns are chosen though all can be loaded")
	}
	for rows, want := range map[int64]string{0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 11_000_000: "10M<n<100M", 2_000_000_000_000: "n>1T"} {
		if got := sizeCategory(rows); got != want {
			t.Errorf("%d rows are %s, want %s", rows, got, want)
		}
	}
	for _, faulty := range []Facts{{Repo: "masters", Licence: "mit"}, {Repo: "me/a b", Licence: "mit"}, {Repo: "me/masters"}} {
		if faulty.Validate() == nil {
			t.Errorf("%+v is valid", faulty)
		}
	}
}
