package ingest

import "testing"

func TestTimeControl(t *testing.T) {
	for text, want := range map[string][3]int32{
		"300":          {300_000, 0, 1},
		"300+5":        {300_000, 5_000, 1},
		" 180+2 ":      {180_000, 2_000, 1},
		"40/7200:3600": {7_200_000, 0, 1},
		"40/60+0.5":    {60_000, 500, 1},
		"8+0.08":       {8_000, 80, 1},
		"*180":         {180_000, 0, 1},
		"1/259200":     {259_200_000, 0, 1},
		"G/60":         {3_600_000, 0, 1},
		"?":            {},
		"-":            {},
		"":             {},
		"blitz":        {},
		"300+":         {},
		"+5":           {},
		"5 minutes":    {},
		"1e9":          {},
		"9999999999":   {},
		"1/2/3":        {},
		"40/":          {},
		"1.2.3":        {},
		"300+5+1":      {},
	} {
		base, increment, ok := timeControl([]byte(text))
		got := [3]int32{base, increment, 1}
		if !ok {
			got = [3]int32{}
		}
		if got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
