package human

import "testing"

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"Müller, 王\n\t|": "Müller, 王\n\t|", "שלום\u200f": "שלום\u200f", "\uFFFD": "\uFFFD",
		"\x1b[31mred": `\x1b[31mred`, "\u009b31m": `\u009b31m`, "a\x7f\r": `a\x7f\x0d`,
		"\u202elive\u202c": `\u202elive\u202c`, "bad\xff": `bad\xff`, "a\u2028b": `a\u2028b`,
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
