package tomldoc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
)

const document = `# A document.
game = "chess" # as others
long = """two
lines"""
stages = ["opening", 'end\game']
limits = [1_000, -2.5e3, [true]]

[a."b.c"]
second = inf
first = 1979-05-27

[[step]]
x.y = false
`

// TestRead: order, lines and values are those of the document.
func TestRead(t *testing.T) {
	got, err := Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{
		{KeyValue, []string{"game"}, 2, "chess"},
		{KeyValue, []string{"long"}, 3, "two\nlines"},
		{KeyValue, []string{"stages"}, 5, []any{"opening", `end\game`}},
		{KeyValue, []string{"limits"}, 6, []any{Number("1000"), Number("-2.5e3"), []any{true}}},
		{Table, []string{"a", "b.c"}, 8, nil},
		{KeyValue, []string{"second"}, 9, Number("inf")},
		{KeyValue, []string{"first"}, 10, Other("1979-05-27")},
		{ArrayTable, []string{"step"}, 12, nil},
		{KeyValue, []string{"x", "y"}, 13, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestReadAsTheLibraryDoes: the keys and texts are those that the stable API decodes.
func TestReadAsTheLibraryDoes(t *testing.T) {
	var want map[string]any
	if err := toml.Unmarshal([]byte(document), &want); err != nil {
		t.Fatal(err)
	}
	entries, err := Read([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	for _, e := range entries {
		if text, ok := e.Value.(string); ok && len(e.Key) == 1 {
			texts++
			if want[e.Key[0]] != text {
				t.Errorf("%s: %q, decoded %q", e.Key, text, want[e.Key[0]])
			}
		}
	}
	if texts != 2 {
		t.Errorf("%d texts compared", texts)
	}
}

// TestErrorsNameTheLine: what stands before a fault is returned beside it.
func TestErrorsNameTheLine(t *testing.T) {
	got, err := Read([]byte("a = 1\nb = 2\nc = = 3\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "line 3: ") || len(got) != 2 {
		t.Errorf("%v, %d entries", err, len(got))
	}
}
