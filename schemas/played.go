package schemas

// Played returns the table of games that programs played: Games, with the depth that they
// reported for each move and, if times, how long it took.
func Played(times bool) Table {
	t := Games
	t.Columns = append(append([]Column(nil), Games.Columns...),
		Column{Name: "depths", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "depth that the program reported for each move; null when it reported none"})
	if times {
		t.Columns = append(t.Columns,
			Column{Name: "times_ms", Type: Int32List, Nullable: true, Domain: Domain{Count: "ply_count"}, Doc: "time that each move took; null for moves without a clock"})
	}
	return t
}
