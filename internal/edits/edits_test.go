package edits

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"karpov", "karpvo", 1},
		{"ca", "abc", 3}, // optimal string alignment edits no place twice
		{"spassky", "spasky", 1}, {"smyslov", "smislof", 2},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Distance(c.b, c.a); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	columns := []string{"ply", "phase", "king_safety", "queens"}
	for name, want := range map[string]string{
		"king_saftey": "king_safety", "Phases": "phase", "plyy": "ply", "result": "", "k": "", "pry": "ply", "bpy": "",
	} {
		if got, ok := Nearest(name, columns); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, want)
		}
	}
	if got, want := Meant("qeens", columns), ": did you mean queens?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Meant("result", columns); got != "" {
		t.Errorf("%q for a name with none near", got)
	}
}
