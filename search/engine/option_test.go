package engine

import (
	"context"
	"strings"
	"testing"
)

func TestOptionInfo(t *testing.T) {
	for text, want := range map[string]OptionInfo{
		"Hash type spin default 16 min 1 max 1024":       {Name: "Hash", Type: "spin", Default: "16", Min: 1, Max: 1024, Bounded: true},
		"Clear Hash type button":                         {Name: "Clear Hash", Type: "button"},
		"Contempt type spin default -5 min -100 max 100": {Name: "Contempt", Type: "spin", Default: "-5", Min: -100, Max: 100, Bounded: true},
		"Style type combo default Normal var Solid":      {Name: "Style", Type: "combo", Default: "Normal"},
		"Odd type spin default 5 min x":                  {Name: "Odd", Type: "spin", Default: "5"},
		"Nameless":                                       {Name: "Nameless"},
	} {
		if o := parseOptionInfo(text); o != want {
			t.Errorf("%s: %+v, want %+v", text, o, want)
		}
	}
}

// TestSet: options are set while the program runs, and again when it is started again; one that
// it does not have is an error.
func TestSet(t *testing.T) {
	ctx := context.Background()
	k := keep(t, fakeConfig(t, "dies"))
	if err := k.Set(ctx, []Option{{"Hash", "4"}}); err != nil { // nothing runs yet
		t.Error(err)
	}
	if _, err := move(t, k, "dies"); err != nil || k.Restarts() != 1 {
		t.Errorf("%v after %d restarts", err, k.Restarts())
	}
	if err := k.Set(ctx, []Option{{"Hash", "8"}, {"clear hash", ""}}); err != nil {
		t.Error(err)
	}
	if err := k.Set(ctx, []Option{{"Hush", "8"}}); err == nil || !strings.Contains(err.Error(), `no option "Hush"`) {
		t.Errorf("an option that the program does not have: %v", err)
	}
}
