package person

import "testing"

func TestSurnameIsLearned(t *testing.T) {
	known := Roles{}
	known.Add("tal", true)
	known.Add("keres", true)
	for name, want := range map[string]string{
		"Tal Mikhail": "tal,mikhail", "Mikhail Tal": "tal,mikhail", "Magnus Carlsen": "carlsen,magnus",
		"Ludwig van der Berg": "van der berg,ludwig", "Van der Wiel J": "van der wiel,j", "Keres Paul GM (EST)": "keres,paul",
		"O'Kelly de Galway, Alberic": "okelly de galway,alberic", "M. E. Botvinnik": "botvinnik,m e", "Im, Sung": "im,sung",
	} {
		if f, _ := Parse(name, known); f.Full() != want {
			t.Errorf("%s: %s, want %s", name, f.Full(), want)
		}
	}
}
