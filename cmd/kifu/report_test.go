package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestCalibrationOfColumns: a column of a CSV that is named value is not taken for another one.
func TestCalibrationOfColumns(t *testing.T) {
	dir, do := t.TempDir(), doIn(t)
	text := "game,ply,result,value,other\n"
	for i := range 600 {
		result := "second"
		if (i*7919)%600 < 300+i%3*100 {
			result = "first"
		}
		text += fmt.Sprintf("%d,1,%s,%d,%d\n", i, result, i%2+1, i%3)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.csv"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	loss := func(out string, line ...string) string {
		do(dir, append([]string{"report", "calibration", "--out", out, "--unit", "points", "--holdout", "0"}, line...)...)
		return do(dir, "query", "--format", "csv", "select w0, log_loss from c_calibration where kind = 'all' order by forecast limit 1", "c="+out)
	}
	both, alone := loss("both", "--value", "value,other", "mine.csv"), loss("alone", "--column", "value=other", "--ignore", "value", "mine.csv")
	if both != alone {
		t.Errorf("beside another value %s, alone %s", both, alone)
	}
}

func TestSourceName(t *testing.T) {
	for path, want := range map[string]string{
		"labels":                           "labels",
		"build/labels/":                    "labels",
		"fit/method=mlm":                   "fit method=mlm",
		"../build/fit/method=ls,game=go/.": "fit method=ls,game=go",
		"method=mlm":                       "method=mlm",
		"/method=mlm":                      "method=mlm",
		"../method=mlm":                    "method=mlm",
	} {
		if got := sourceName(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
