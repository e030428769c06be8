package jkf

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// usual are objects as programs write them, with all that a scan reads.
var usual = []string{
	`{"header":{"先手":"甲","後手":""},"initial":{"preset":"HIRATE"},"moves":[{"comments":["** 5 start",""]},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"},"time":{"now":{"m":0,"s":4},"total":{"h":0,"m":0,"s":4}}},{"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"color":0,"piece":"KA","promote":true,"capture":"KA"},"forks":[[{"move":{"to":{"x":3,"y":1}}}],[]]},{"move":{"from":{"x":3,"y":1},"same":true,"promote":false,"piece":"GI"}},{"move":{"to":{"x":5,"y":5},"piece":"KA","relative":"H"}},{"special":"TORYO"}]}`,
	" { \"moves\" :\r\n[ { } , {\"move\": {\"piece\":\"か\", \"same\": false}, \"forks\":[[\"a\", true, {\"b\":[]}]] }\t] , \"header\": { } }",
	`{"moves":[]}`,
}

// unusual are objects that are encoding/json's to read or to refuse.
var unusual = []string{
	`{"header":{"a":"\u5148"},"moves":[]}`, `{"header":{"a":"1","a":"2"},"moves":[]}`, `{"Moves":[]}`, `{"moves":[],"more":1}`, `{"moves":[],"moves":[]}`,
	`{"initial":{"preset":"OTHER","data":{"color":0}}}`, `{"initial":null}`, `{"moves":[{"move":{"to":{"x":1,"x":2}}}]}`, `{"moves":[{"move":{"to":{"x":1.5}}}]}`,
	`{"moves":[{"move":{"to":{"x":07}}}]}`, `{"moves":[{"move":{"to":{"x":-7}}}]}`, `{"moves":[{"move":{"same":truely}}]}`, `{"moves":[{"time":{"a":nul}}]}`,
	`{"moves":[,]}`, `{"moves":[{}]`, `{"moves":[{"special":"a` + "\n" + `b"}]}`, `{"moves":[{"special":"` + "\xff" + `"}]}`, `{"moves":{}}`, `{"moves":[{"comments":"a"}]}`, `[]`, ``,
	`{"moves":[{"time":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}]}`,
}

// TestScan: what is usual is read without encoding/json, and as by it; what is not is left to it.
func TestScan(t *testing.T) {
	var s scan
	for _, text := range usual {
		if read, n := s.read([]byte(text + ",{")); read == nil || n != len(text) {
			t.Errorf("%s: not read: %d of %d bytes", text, n, len(text))
		}
		agree(t, &s, []byte(text))
	}
	for _, text := range unusual {
		if read, _ := s.read([]byte(text)); read != nil {
			t.Errorf("%s: read as %+v", text, read)
		}
	}
}

// agree holds what a scan reads against encoding/json.
func agree(t *testing.T, s *scan, text []byte) {
	t.Helper()
	read, n := s.read(text)
	if read == nil {
		return
	}
	var want game
	if err := json.Unmarshal(text[:n], &want); err != nil {
		t.Fatalf("%s: read, but %v", text[:n], err)
	}
	for _, g := range []*game{read, &want} {
		if len(g.Header) == 0 {
			g.Header = nil
		}
		if len(g.Moves) == 0 {
			g.Moves = nil
		}
		for i := range g.Moves {
			m := &g.Moves[i]
			m.Forks = make([]json.RawMessage, len(m.Forks)) // they are counted
			if len(m.Comments) == 0 {
				m.Comments = nil
			}
		}
	}
	if !reflect.DeepEqual(*read, want) {
		t.Fatalf("%s: read as %+v, by encoding/json as %+v", text[:n], *read, want)
	}
}

// FuzzScan: whatever a scan reads, encoding/json reads as well.
func FuzzScan(f *testing.F) {
	for _, text := range append(usual, unusual...) {
		f.Add([]byte(text))
	}
	games, err := os.ReadFile("testdata/vectors/games.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(games)) {
		f.Add([]byte(line))
	}
	var s scan
	f.Fuzz(func(t *testing.T, text []byte) { agree(t, &s, text) })
}
