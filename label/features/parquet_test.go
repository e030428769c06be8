package features

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"kifu/datasets"
	"kifu/kit/datasettest"
)

type record struct {
	Game   string  `parquet:"game,dict"`
	Result float64 `parquet:"result"`
	Turn   bool    `parquet:"first_to_move"`
	Ply    int64   `parquet:"ply,delta"`
	A      int32   `parquet:"a,dict"`
	B      float32 `parquet:"b"`
	C      *int64  `parquet:"c,optional"`
	D      float64 `parquet:"d,dict"`
}

func records(n int) (list []record) {
	for i := range n {
		c := int64(i%7 - 3)
		list = append(list, record{Game: fmt.Sprintf("game %d", i/40), Result: float64(i/40%3) / 2, Turn: i%2 == 0, Ply: int64(i % 40),
			A: int32(i%11 - 5), B: float32(i%5) / 4, C: &c, D: float64(i % 13)})
	}
	return list
}

// parquetFile writes records in row groups of 1,000 and pages of few rows.
func parquetFile[T any](t *testing.T, list []T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := parquet.NewGenericWriter[T](f, parquet.PageBufferSize(512), parquet.MaxRowsPerRowGroup(1000), parquet.Compression(&parquet.Snappy))
	if _, err := w.Write(list); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestParquetIsCSV: the same rows in both formats make the same labels, in whatever row
// groups and parts they are written.
func TestParquetIsCSV(t *testing.T) {
	list := records(20_000)
	var text bytes.Buffer
	text.WriteString("game,result,first_to_move,ply,a,b,c,d\n")
	for _, r := range list {
		fmt.Fprintln(&text, strings.Join([]string{r.Game, fmt.Sprint(r.Result), fmt.Sprint(r.Turn), fmt.Sprint(r.Ply), fmt.Sprint(r.A), fmt.Sprint(r.B), fmt.Sprint(*r.C), fmt.Sprint(r.D)}, ","))
	}
	fromCSV, err := build(t, Params{}, file(t, "x.csv", text.String()))
	if err != nil {
		t.Fatal(err)
	}
	path := parquetFile(t, list)
	fromParquet, err := build(t, Params{}, path)
	if err != nil {
		t.Fatal(err)
	}
	want := rows(t, fromCSV)
	if diff := cmp.Diff(want, rows(t, fromParquet)); diff != "" {
		t.Errorf("-CSV +Parquet\n%s", diff)
	}
	parts := inParts(t, path, 1)
	if n := len(parts.Manifest.Parts); n != 3 {
		t.Errorf("%d parts, want 3", n)
	}
	if diff := cmp.Diff(want, rows(t, parts)); diff != "" {
		t.Errorf("in parts: -want +got\n%s", diff)
	}
}

// inParts writes parts of at least a block's rows; an interruption after the first whole
// parts is resumed.
func inParts(t *testing.T, path string, whole int) *datasets.Dir {
	t.Helper()
	out := filepath.Join(t.TempDir(), "labels")
	for _, interrupted := range []bool{true, false} {
		_, _, err := datasets.Build(context.Background(), out, datasets.Step{
			Stage: "features", Output: "labels/v2", Params: Params{},
			Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
				s, err := look(ctx, Params{}, path)
				if err != nil {
					return err
				}
				pl, err := newPlan(Params{}, path, s)
				if err != nil {
					return err
				}
				pl.groupRows, pl.partRows = 1, blockRows
				if _, done := b.Done(0); done == interrupted {
					return fmt.Errorf("part 0 is there: %v", done)
				}
				if interrupted {
					ctx = &ends{ctx, blockRows / 1000 * (whole + 1)}
				}
				return pl.write(ctx, b)
			},
		}, datasets.Options{})
		if (err != nil) != interrupted {
			t.Fatal(err)
		}
	}
	d := datasettest.Open(t, out)
	return d
}

// ends is a context that ends after some looks at it.
type ends struct {
	context.Context
	left int
}

func (e *ends) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestParquetThatIsRefused(t *testing.T) {
	missing := records(2500)
	missing[1700].C, missing[2400].C = nil, nil
	_, err := build(t, Params{}, parquetFile(t, missing))
	if err == nil || !strings.Contains(err.Error(), "missing: column c in 2 of 2500 rows (row 1701)") {
		t.Error(err)
	}
	type named struct {
		Game, Result int32
		Opening      string
	}
	_, err = build(t, Params{Columns: map[string]string{"game": "Game", "result": "Result"}}, parquetFile(t, []named{{1, 1, "C60"}}))
	if err == nil || !strings.Contains(err.Error(), "column Opening: cannot read") && !strings.Contains(err.Error(), "column Opening: a STRING is not a number") {
		t.Error(err)
	}
	type list struct {
		Game   int32   `parquet:"game"`
		Result int32   `parquet:"result"`
		A      []int32 `parquet:"a,list"`
	}
	_, err = build(t, Params{}, parquetFile(t, []list{{1, 1, []int32{1}}}))
	if err == nil || !strings.Contains(err.Error(), "column a: a list or a structure is not a feature") {
		t.Error(err)
	}
	_, err = build(t, Params{}, file(t, "x.parquet", "game,result,a\n"))
	if err == nil || !strings.Contains(err.Error(), "x.parquet: ") {
		t.Error(err)
	}
}
