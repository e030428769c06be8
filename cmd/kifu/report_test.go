package main

import "testing"

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
