package slow

import (
	"flag"
	"testing"
)

// TestAsked: by the environment, by name, else not.
func TestAsked(t *testing.T) {
	named := flag.Lookup("test.run")
	was := named.Value.String()
	t.Cleanup(func() { named.Value.Set(was) })
	for _, c := range []struct {
		env, run string
		want     bool
	}{{"", "", false}, {"all", "", true}, {"", "TestAsked", true}, {"some", "", false}} {
		t.Setenv(variable, c.env)
		if err := named.Value.Set(c.run); err != nil {
			t.Fatal(err)
		}
		if got := Asked(); got != c.want {
			t.Errorf("%s=%q -run=%q: %v, want %v", variable, c.env, c.run, got, c.want)
		}
		skipped := false
		t.Run("one", func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			Test(t, "a trial")
		})
		if skipped == c.want {
			t.Errorf("%s=%q -run=%q: skipped %v", variable, c.env, c.run, skipped)
		}
	}
}
