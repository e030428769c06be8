package kifu

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Room returns the room of a package by its folder below the root: the first part of the
// path; "" for the root itself and for what is no part of the program, as kit/sample,
// which is for tests.
func Room(dir string) string {
	if dir == "kit/sample" {
		return ""
	}
	room, _, _ := strings.Cut(dir, "/")
	if room == "." {
		return ""
	}
	return room
}

// Plan has for each room the rooms that it imports.
type Plan map[string]map[string]bool

// Add notes that the package in the folder dir imports the one in the folder imported.
func (p Plan) Add(dir, imported string) {
	a, b := Room(dir), Room(imported)
	if a == "" {
		return
	}
	if p[a] == nil {
		p[a] = map[string]bool{}
	}
	if b != "" && b != a {
		p[a][b] = true
	}
}

// Arrows returns the number of pairs of rooms of which one imports the other.
func (p Plan) Arrows() (n int) {
	for _, to := range p {
		n += len(to)
	}
	return n
}

// Floors returns the rooms by floor, the ground floor first, which imports nothing. An
// error names rooms that import each other in a circle.
func (p Plan) Floors() ([][]string, error) {
	var floors [][]string
	placed := map[string]bool{}
	for len(placed) < len(p) {
		var floor []string
		for _, room := range slices.Sorted(maps.Keys(p)) {
			if !placed[room] && p.rests(room, placed) {
				floor = append(floor, room)
			}
		}
		if len(floor) == 0 {
			return nil, fmt.Errorf("a circle among the remaining rooms, without %v", slices.Sorted(maps.Keys(placed)))
		}
		for _, room := range floor {
			placed[room] = true
		}
		floors = append(floors, floor)
	}
	return floors, nil
}

// rests reports whether all that room imports is placed.
func (p Plan) rests(room string, placed map[string]bool) bool {
	for to := range p[room] {
		if !placed[to] {
			return false
		}
	}
	return true
}

// direct returns what room imports but for what these import in turn.
func (p Plan) direct(room string) []string {
	var all []string
	for _, to := range slices.Sorted(maps.Keys(p[room])) {
		follows := false
		for other := range p[room] {
			follows = follows || other != to && p.reaches(other, to)
		}
		if !follows {
			all = append(all, to)
		}
	}
	return all
}

func (p Plan) reaches(from, to string) bool {
	for next := range p[from] {
		if next == to || p.reaches(next, to) {
			return true
		}
	}
	return false
}

// Sizes of the drawing, in pixels.
const (
	boxWidth, boxHeight = 104, 34
	columnWidth         = 124
	floorHeight         = 86
	margin              = 16
)

// SVG draws the plan: a box for each folder at the root, on floors, so that a room is above all that it
// imports. An arrow that follows from others (a imports c, and b, which imports c) is left out.
func (p Plan) SVG() (string, error) {
	floors, err := p.Floors()
	if err != nil {
		return "", err
	}
	widest := 0
	for _, f := range floors {
		widest = max(widest, len(f))
	}
	width, height := 2*margin+widest*columnWidth, 2*margin+len(floors)*floorHeight-(floorHeight-boxHeight)
	type point struct{ x, y int }
	at := map[string]point{}
	for i, f := range floors {
		for j, room := range f {
			left := (width - len(f)*columnWidth) / 2
			at[room] = point{left + j*columnWidth + columnWidth/2, height - margin - boxHeight - i*floorHeight}
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="14">`+"\n", width, height)
	s.WriteString("<title>The rooms of kifu: each is above all that it imports</title>\n" +
		"<style>rect{fill:#fff;stroke:#456}text{fill:#123;text-anchor:middle}path{fill:none;stroke:#89a;stroke-width:1.2}\n" +
		"@media (prefers-color-scheme:dark){rect{fill:#223;stroke:#9ab}text{fill:#eef}path{stroke:#789}}</style>\n")
	for _, room := range slices.Sorted(maps.Keys(p)) {
		for _, to := range p.direct(room) {
			a, b := at[room], at[to]
			y0, y1 := a.y+boxHeight, b.y
			fmt.Fprintf(&s, `<path d="M%d %dC%d %d %d %d %d %d"/>`+"\n", a.x, y0, a.x, y0+floorHeight/2, b.x, y1-floorHeight/2, b.x, y1)
		}
	}
	for _, room := range slices.Sorted(maps.Keys(p)) {
		o := at[room]
		fmt.Fprintf(&s, `<rect x="%d" y="%d" width="%d" height="%d" rx="5"/><text x="%d" y="%d">%s</text>`+"\n", o.x-boxWidth/2, o.y, boxWidth, boxHeight, o.x, o.y+boxHeight/2+5, room)
	}
	s.WriteString("</svg>\n")
	return s.String(), nil
}
