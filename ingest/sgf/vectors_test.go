package sgf

import (
	"bytes"
	"testing"

	"kifu/kit/recordtest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

var tested = func() recordtest.Format {
	f := recordtest.NewFormat(Format())
	f.Decode = recode
	return f
}()

func TestVectors(t *testing.T) { tested.Run(t) }

// recode puts a vector that begins with a line "encoding: name" into that encoding.
func recode(t testing.TB, body []byte) []byte { return encoded(t, recordtest.Unescape(t, body)) }

// encoded puts a text into the encoding that its first line names, if it does.
func encoded(t testing.TB, text []byte) []byte {
	rest, found := bytes.CutPrefix(text, []byte("encoding: "))
	if !found {
		return text
	}
	name, rest, _ := bytes.Cut(rest, []byte("\n"))
	var e encoding.Encoding
	switch string(name) {
	case "utf-16le":
		e = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case "utf-16be":
		e = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	default:
		var err error
		if e, err = htmlindex.Get(string(name)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := e.NewEncoder().Bytes(rest)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
