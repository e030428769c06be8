package sheet

// ClockBand is a band of the time left.
type ClockBand struct {
	From int // seconds
	Name string
}

// ClockBands are the bands by which reports count moves, the longest time first.
var ClockBands = []ClockBand{{300, "5 minutes and more"}, {60, "1 to 5 minutes"}, {30, "30 to 60 seconds"}, {10, "10 to 30 seconds"}, {0, "under 10 seconds"}}
