package schemas

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// TestLearnIsLearnJSON: what is decoded of a learn.json writes the same bytes again, so that
// no field is missing, unknown or in another place.
func TestLearnIsLearnJSON(t *testing.T) {
	for _, name := range []string{"given", "learned", "again"} {
		text, err := os.ReadFile("../kit/reporttest/testdata/opponent/" + name + "/learn.json")
		if err != nil {
			t.Fatal(err)
		}
		var l Learn
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatal(err)
		}
		again, err := json.MarshalIndent(l, "", "  ")
		if name == "given" { // it is older than this field
			again = bytes.Replace(again, []byte("  \"likeliest\": null,\n"), nil, 1)
		}
		if err != nil || !bytes.Equal(append(again, '\n'), text) {
			t.Errorf("%s: %v, written again:\n%s", name, err, again)
		}
	}
}
