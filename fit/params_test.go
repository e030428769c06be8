package fit

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kifu/fit/rows"
	"kifu/internal/dyads"
)

// TestParamsOrder: the parameters go into a dataset's key in the order that they had in one struct, so that the
// fits of earlier builds are found again.
func TestParamsOrder(t *testing.T) {
	p := Params{
		Method: MLM, Free: []string{"a"}, Add: []Feature{{Name: "x", SQL: "y"}}, Intercept: true, SideToMove: true, Draws: DrawsHalf,
		Aim: Aim{Target: "t", Expected: "e", Blend: 0.5, TargetScale: 2}, L2: 1, L1: 2, Prior: []rows.Prior{{}}, Bounds: []rows.Bound{{}},
		Tie: [][]string{{"a", "b"}}, Untapered: []string{"c"}, Scale: 3, Sets: Sets{ScaleBy: "s", Phases: []int{4}, Neighbours: 1},
		MinGames: 5, Holdout: 0.1, Where: "w", GamesWhere: "g", WithoutBlunders: 6, MaxPerGame: 7, Weight: WeightGame, Folds: 8, Ratios: true,
		LearningCurve: true, Cluster: "games", Aliases: []dyads.Alias{{}},
		Differences: Differences{Lambda: []float64{0.7}, Alpha: []float64{0.5}, Epochs: 9, Replacing: true}, Test: true, Seed: 10,
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	d := json.NewDecoder(strings.NewReader(string(text)))
	for depth, key := 0, false; ; {
		word, err := d.Token()
		if err != nil {
			break
		}
		switch delim, is := word.(json.Delim); {
		case is && (delim == '{' || delim == '['):
			depth++
			key = depth == 1
		case is:
			depth--
			key = depth == 1
		case depth == 1 && key:
			names, key = append(names, word.(string)), false
		case depth == 1:
			key = true
		}
	}
	want := "method free add intercept side_to_move draws target expected blend target_scale l2 l1 prior bounds tie untapered scale scale_by phases " +
		"neighbours min_games holdout where games_where without_blunders max_per_game weight folds ratios learning_curve cluster aliases " +
		"lambda alpha epochs replacing_traces test seed"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("order\n%s, want\n%s", got, want)
	}
}

// TestTogether: the tables name methods and flags that there are, and each row refuses a fit that has what it names.
func TestTogether(t *testing.T) {
	has := Params{}.flags()
	methods := []string{MLM, LS, Ordered, Value, Choice, Pairs, TD, LSTD}
	known := func(list string, all func(word string) bool) {
		for word := range strings.FieldsSeq(list) {
			if !all(word) {
				t.Errorf("%q is none", word)
			}
		}
	}
	flag := func(word string) bool { _, is := has[word]; return is }
	for _, r := range refused {
		known(r.methods, func(word string) bool { return slices.Contains(methods, word) })
		known(r.flags, flag)
	}
	for _, e := range exclusive {
		known(e.some+" "+e.others, flag)
	}
	for _, n := range needs {
		known(n.flag+" "+n.others, flag)
	}
	for want, p := range map[string]Params{
		"method pairs: the pairs of a decision are not independent":   {Method: Pairs, Ratios: true},
		"method choice: it fits to whole decisions: leave --phases":   {Method: Choice, Sets: Sets{Phases: []int{4}}},
		"method value: it fits to --target alone":                     {Method: Value, Aim: Aim{Target: "x", Expected: "y"}},
		"--ratios does not go with --l2, --bound":                     {Method: MLM, Ratios: true, L2: 1, Bounds: []rows.Bound{{}}},
		"--learning-curve needs --holdout or --test":                  {Method: MLM, LearningCurve: true},
		"--target-scale needs --blend":                                {Method: MLM, Aim: Aim{TargetScale: 1}},
		"--target has no effect: give its share with --blend":         {Method: LS, Aim: Aim{Target: "x"}},
		"--expected does not go with --without-blunders: an expected": {Method: LS, Aim: Aim{Expected: "x"}, WithoutBlunders: 1},
	} {
		p.Draws = DrawsHalf
		if err := p.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
