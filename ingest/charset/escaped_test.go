package charset

import "testing"

// TestEscaped decodes what Python's codecs iso2022_jp, iso2022_kr and hz write.
func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"PB[\x1b$)C\x0e@LC\"H#\x0f]PW[\x0e@LC\"H#\x0f]": "PB[이창호]PW[이창호]",
		"\x0e@LC\"H#\x0f 9d":                            "이창호 9d",
		"PB[~{NbGeT4~}]":                                "PB[吴清源]",
		"\x1b$B8b@68;\x1b(B":                            "呉清源",
		"~{abc~}":                                       "",
		"~/games":                                       "",
		"\x0e\x0f":                                      "",
	} {
		got := ""
		if Escaped([]byte(text)) {
			got = string(AppendEscaped(nil, []byte(text)))
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
