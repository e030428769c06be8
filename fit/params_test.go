package fit

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"kifu/fit/computed"
	"kifu/fit/constraints"
	"kifu/fit/losses"
	"kifu/fit/method"
	"kifu/internal/dyads"
)

// everything has all choices of all methods.
var everything = method.Choices{
	Positions: method.Positions{Intercept: true, SideToMove: true, WithoutBlunders: 6},
	Minimised: method.Minimised{MaxPerGame: 7, Weight: method.ByGame, L2: 1, L1: 2, Prior: []constraints.Prior{{}}, Bounds: []constraints.Bound{{}}},
	Held:      method.Held{Scale: 3}, Scales: method.Scales{ScaleBy: "s"}, Sets: method.Sets{Phases: []int{4}, Neighbours: 1},
	Aim: method.Aim{Target: "t", Expected: "e", Blend: 0.5, TargetScale: 2}, Tests: method.Tests{Ratios: true},
	Traces: method.Traces{Lambda: []float64{0.7}}, Steps: method.Steps{Alpha: []float64{0.5}, Epochs: 9, Replacing: true},
}

// TestParamsOrder: the choices go into a dataset's key in the order that they had in one struct, so that the
// fits of earlier builds are found again.
func TestParamsOrder(t *testing.T) {
	p := Params{Free: []string{"a"}, Add: []computed.Feature{{Name: "x", SQL: "y"}}, Draws: DrawsHalf, Tie: [][]string{{"a", "b"}}, Untapered: []string{"c"}, MinGames: 5,
		Holdout: 0.1, Where: "w", GamesWhere: "g", Folds: 8, LearningCurve: true, Cluster: "games", Aliases: []dyads.Alias{{Name: "a", SameAs: "b"}}, Test: true, Seed: 10}
	for name, want := range map[string]string{
		losses.MLM: `{"method":"mlm","free":["a"],"add":[{"name":"x","sql":"y"}],"intercept":true,"side_to_move":true,"draws":"half","target":"t","expected":"e","blend":0.5,"target_scale":2,"l2":1,"l1":2,` +
			`"prior":[{"sd":0}],"bounds":[{"of":""}],"tie":[["a","b"]],"untapered":["c"],"scale":3,"scale_by":"s","phases":[4],"neighbours":1,"min_games":5,"holdout":0.1,"where":"w","games_where":"g",` +
			`"without_blunders":6,"max_per_game":7,"weight":"game","folds":8,"ratios":true,"learning_curve":true,"cluster":"games","aliases":[{"name":"a","same_as":"b"}],"test":true,"seed":10,"sums":SUMS}`,
		losses.TD: `{"method":"td","free":["a"],"add":[{"name":"x","sql":"y"}],"intercept":true,"side_to_move":true,"draws":"half","tie":[["a","b"]],"untapered":["c"],"scale":3,"min_games":5,"holdout":0.1,"where":"w",` +
			`"games_where":"g","without_blunders":6,"folds":8,"learning_curve":true,"cluster":"games","aliases":[{"name":"a","same_as":"b"}],"lambda":[0.7],"alpha":[0.5],"epochs":9,"replacing_traces":true,"test":true,"seed":10,"sums":SUMS}`,
		losses.Choice: `{"method":"choice","free":["a"],"add":[{"name":"x","sql":"y"}],"draws":"half","l2":1,"l1":2,"prior":[{"sd":0}],"bounds":[{"of":""}],"tie":[["a","b"]],"untapered":["c"],"scale":3,"min_games":5,` +
			`"holdout":0.1,"where":"w","games_where":"g","max_per_game":7,"weight":"game","folds":8,"ratios":true,"learning_curve":true,"cluster":"games","aliases":[{"name":"a","same_as":"b"}],"test":true,"seed":10,"sums":SUMS}`,
	} {
		var err error
		if p.Method, err = everything.Of(name, losses.MLM, losses.TD); err != nil {
			t.Fatal(err)
		}
		want = strings.Replace(want, "SUMS", strconv.Itoa(Sums), 1)
		got, err := json.Marshal(p)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s, want\n%s", name, err, got, want)
		}
	}
}

// TestTogether: the tables name flags that there are, and each row refuses a fit that has what it names.
func TestTogether(t *testing.T) {
	flags := map[string]bool{}
	for name := range strings.FieldsSeq(keyOrder) {
		flags[method.Flag(name)] = true
	}
	known := func(list string) {
		for word := range strings.FieldsSeq(list) {
			if !flags[word] {
				t.Errorf("%q is no flag", word)
			}
		}
	}
	for _, e := range exclusive {
		known(e.some + " " + e.others)
	}
	for _, n := range needs {
		known(n.flag + " " + n.others)
	}
	for want, p := range map[string]Params{
		"method value: name the value to fit to":              {Method: method.Value{}},
		"--ratios excludes --l2, --bound":                     {Method: method.MLM{Tests: method.Tests{Ratios: true}, Minimised: method.Minimised{L2: 1, Bounds: []constraints.Bound{{}}}}},
		"--learning-curve needs --holdout or --test":          {Method: method.MLM{}, LearningCurve: true},
		"--target-scale needs --blend":                        {Method: method.MLM{Aim: method.Aim{TargetScale: 1}}},
		"--target has no effect: give its share with --blend": {Method: method.LS{Aim: method.Aim{Target: "x"}}},
		"--expected excludes --without-blunders: an expected": {Method: method.LS{Aim: method.Aim{Expected: "x"}, Positions: method.Positions{WithoutBlunders: 1}}},
	} {
		p.Draws = DrawsHalf
		if err := p.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
