package person

import (
	"errors"
	"strings"
	"testing"
)

var players = []Named{{"Tinsley, Marion", 40}, {"M Tinsley", 375}, {"MF Tinsley", 349}, {"Tal, Mihail", 1200}, {"Tal M", 30}, {"Talbot, John", 2},
	{"Müller, Karl", 12}, {"Carlsen, Magnus", 4000}, {"Carlsen, Henrik", 9}, {"Korchnoi, Viktor", 3000}, {"drnykterstein", 70}, {"Stockfish 14", 8}, {"Stockfish 15", 9},
	{"Spassky, B.V.", 21}, {"羽生 善治", 6},
	{"EricRosen", 5000}, {"van_der_wiel", 3}, {"Ding Li Ren", 4}, {"GrandPatzer", 8}, {"grand_patzer", 2}}

func TestResolve(t *testing.T) {
	for typed, want := range map[string]string{
		"tinsley":         "M Tinsley;MF Tinsley;Tinsley, Marion",
		"m tinsley":       "M Tinsley",
		"Marion Tinsley":  "Tinsley, Marion",
		"mf tinsley":      "MF Tinsley",
		"Tinsley m.":      "M Tinsley",
		"TAL, MIHAIL":     "Tal, Mihail",
		"mihail tal":      "Tal, Mihail",
		"tal*":            "Tal, Mihail;Tal M;Talbot, John",
		"muller*":         "Müller, Karl",
		"muller":          "Müller, Karl",
		"M. Carlsen":      "Carlsen, Magnus",
		"DrNykterstein":   "drnykterstein",
		"stockfish 15":    "Stockfish 15",
		"b spassky":       "Spassky, B.V.",
		"bv spassky":      "Spassky, B.V.",
		"Spassky, Boris":  "Spassky, B.V.",
		"羽生善治":            "羽生 善治",
		"eric rosen":      "EricRosen",
		"Rosen, Eric":     "EricRosen",
		"eric_rosen":      "EricRosen",
		"Eric Rösen":      "EricRosen",
		"Van der Wiel":    "van_der_wiel",
		"dinglIren":       "Ding Li Ren",
		"grand patzer":    "several GrandPatzer;grand_patzer",
		"eric":            "near EricRosen *EricRosen*",
		"erik rosen":      "near EricRosen *EricRosen*",
		"carlsen":         "several Carlsen, Magnus;Carlsen, Henrik *Carlsen*",
		"stockfish":       "several Stockfish 15;Stockfish 14 *Stockfish*",
		"kortchnoi":       "near Korchnoi, Viktor *Korchnoi*",
		"korhcnoi viktor": "near Korchnoi, Viktor *Korchnoi*",
		"carlson":         "near Carlsen, Magnus;Carlsen, Henrik *Carlsen*",
		"m":               "near",
		"":                "near",
		"nobody*":         "near",
	} {
		if got := resolved(typed); got != want {
			t.Errorf("%q takes %q, want %q", typed, got, want)
		}
	}
}

// resolved writes what a name takes, or the error about it.
func resolved(typed string) string {
	list := func(all []Named) string {
		var names []string
		for _, one := range all {
			names = append(names, one.Name)
		}
		return strings.Join(names, ";")
	}
	c, err := Resolve(typed, players)
	var u *Unclear
	if !errors.As(err, &u) {
		return list(c.Names)
	}
	head := "near "
	if u.Several {
		head = "several "
	}
	return strings.TrimSpace(head + list(u.Near) + " " + u.Pattern)
}

// TestUnclear: the error lists names with their games, and a pattern that takes them all.
func TestUnclear(t *testing.T) {
	_, err := Resolve("carlsen", players)
	want := `"carlsen" fits several players: "Carlsen, Magnus" (4,000 games), "Carlsen, Henrik" (9 games); "*Carlsen*" takes 2 names with 4,009 games`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := Resolve("xyzzy", players); err == nil || !strings.Contains(err.Error(), "kifu names --players") {
		t.Errorf("%v", err)
	}
	if c, _ := Resolve("mihail tal", players); c.Note() != "" {
		t.Errorf("fewer games need no note: %s", c.Note())
	}
	if c, _ := Resolve("tal m", players); c.Note() != `"Tal M" is a name of its own; others have it, too: "Tal, Mihail" (1,200 games)` {
		t.Errorf("%s", c.Note())
	} else if joined := c.Without([]string{"Tal, Mihail"}); joined.Note() != "" {
		t.Errorf("a table says that it is he: %s", joined.Note())
	}
	c, err := Resolve("*carlsen*", players)
	if err != nil || !c.Typed || c.Games() != 4009 {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := Resolve("tinsley", players); err != nil || c.Typed {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestNearestOne: one name that is near needs no pattern.
func TestNearestOne(t *testing.T) {
	_, err := Resolve("gabuzyan", []Named{{"GABUZYAN_CHESSMOOD", 1000}, {"Brody", 3}})
	if want := `no player is called "gabuzyan"; the nearest is "GABUZYAN_CHESSMOOD" (1,000 games)`; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}
