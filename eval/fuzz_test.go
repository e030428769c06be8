package eval

import (
	"bytes"
	"reflect"
	"testing"
)

// FuzzModel: a text is a valid model or an error, and a model is written as a text that
// gives the same model, to the grain of weights.
func FuzzModel(f *testing.F) {
	for _, text := range []string{
		"game = \"x\"\nname = \"n\"\nunit = \"u\"\nstages = [\"a\", \"b\"]\nknots = [0, 24]\n\n[g]\nt = [3.50, -1.00]\nu = 12.00\n\n[h]\nv = [nan, inf]\n",
		"game = \"x\"\nstages = [\"a\"]\nknots = [0]\nstep = true\n[g]\nt = 1e308\n[\"\\u0000\"]\n\"q\\\"\" = -0.005\n",
		"stages = [\"a\"]\nknots = [0]\nnetwork = [1, 0.5,\n]\n[g]\nt = 1\n[g]\nt = 2\n", "stages = []", "[g]\nt = 1", "stages = [\"a\", \"a\"]\nknots = [9223372036854775807, -1]\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadModel(bytes.NewReader(text))
		if err != nil {
			return
		}
		if err := m.Validate(); err != nil {
			t.Fatalf("read, but %v", err)
		}
		want := m.Round()
		written, err := want.TOML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadModel(bytes.NewReader(written))
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if !reflect.DeepEqual(want, again) {
			t.Fatalf("%+v\nis written as\n%s\nand read as\n%+v", want, written, again)
		}
	})
}
