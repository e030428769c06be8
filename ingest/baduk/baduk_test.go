package baduk

import (
	"testing"

	"kifu/kit/recordtest"
)

func tested(d *dialect) recordtest.Format { return recordtest.NewFormat(d.format()) }

var dialects = []*dialect{&gib, &ngf, &ugf}

// of returns the dialect of a text.
func of(text []byte) *dialect {
	for _, d := range dialects {
		if d.format().Recognize(text) {
			return d
		}
	}
	return &gib
}

// TestVectors reads the files of testdata/vectors, each in the dialect that recognises it.
func TestVectors(t *testing.T) {
	v := tested(&gib).Vectors
	v.All = func(data []byte) ([]string, error) { return tested(of(data)).All(data) }
	v.Split = func(data []byte, size int) ([]string, error) { return tested(of(data)).Split(data, size) }
	v.Run(t)
}

// TestRecognise: the dialects are told from each other and from other text.
func TestRecognise(t *testing.T) {
	for text, want := range map[string]string{
		"\\HS\r\n\\[GAMEPLACE=x\\]\r\n":                                   "GIB",
		"Rated game\n19\na 7D\nb 5D\nwww\n2\n0\n0\n20170316 [09:51]\n5\n": "NGF",
		"[Header]\nLang=SJIS\n":                                           "UGF",
		"[Event \"?\"]\n":                                                 "",
		"(;GM[1])":                                                        "",
		"1\n2\n3\n4\n5\n6\n7\n8\n9\n":                                     "",
	} {
		got := ""
		for _, d := range dialects {
			if d.format().Recognize([]byte(text)) {
				got += d.name
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestKeep: the tags choose games.
func TestKeep(t *testing.T) {
	game := func(black string) string {
		return "[Header]\nPlayerB=" + black + ",7d\nSize=9\n[Data]\nAA,B1,1,0\nAB,W1,2,0\n"
	}
	tested(&ugf).Keep(t, game("yes")+game("no")+game("yes"), 2, recordtest.Skipped, 2)
}

// FuzzRead: any bytes give the same games at once and in blocks, in each dialect.
func FuzzRead(f *testing.F) {
	tested(&gib).Seed(f, func(data []byte) { f.Add(data, uint16(50)) })
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		for _, d := range dialects {
			want, err := tested(d).All(data)
			if err != nil {
				t.Fatal(err)
			}
			tested(d).Same(t, data, int(size)+1, want)
		}
	})
}
