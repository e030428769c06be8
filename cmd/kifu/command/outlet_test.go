package command

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestOutletLines: lines that come in pieces are replaced as a whole, and the last one without its end, too.
func TestOutletLines(t *testing.T) {
	for size := 1; size <= 8; size++ {
		var got bytes.Buffer
		o := &Outlet{To: &got, Line: strings.ToUpper}
		for part := range slices.Chunk([]byte("a b\n\nc\x1b"), size) {
			if n, err := o.Write(part); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := o.Lost(); err != nil || got.String() != "A B\n\nC\\X1B\n" {
			t.Errorf("by %d bytes: %q, %v", size, got.String(), err)
		}
	}
}

// TestOutletLetters: letters that come in pieces are whole, and pieces that stay alone are escapes.
func TestOutletLetters(t *testing.T) {
	text := "Ké\u202e７六歩\x1b[0m\u009b\xff\n\tx\xe3\x81"
	want := "Ké\\u202e７六歩\\x1b[0m\\u009b\\xff\n\tx\\xe3\\x81"
	for size := 1; size <= len(text); size++ {
		var got bytes.Buffer
		o := AsOutlet(&got)
		for part := range slices.Chunk([]byte(text), size) {
			if n, err := o.Write(part); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := o.Lost(); err != nil || got.String() != want {
			t.Errorf("by %d bytes: %q, %v; want %q", size, got.String(), err, want)
		}
	}
}
