package schemas

// Trajectory has one row per parameter and iteration of a tuning run.
var Trajectory = Table{Name: "trajectory", Version: 1, Doc: trajectoryDoc, Columns: []Column{
	{Name: "iteration", Type: Int32, Domain: counts, Doc: "from 1"},
	{Name: "parameter", Type: String, Repeats: true, Doc: "name of the option"},
	{Name: "value", Type: Float64, Doc: "value before the iteration"},
	{Name: "c", Type: Float64, Doc: "by how much it is moved up and down: c_k"},
	{Name: "r", Type: Float64, Doc: "share of c by which a game moves it: a_k/c_k²"},
	{Name: "flip", Type: Int16, Repeats: true, Domain: Range(-1, 1), Doc: "1 when the first settings have the higher value, else -1"},
	{Name: "plus", Type: Float64, Doc: "value in the first settings, as played"},
	{Name: "minus", Type: Float64, Doc: "value in the second settings"},
	{Name: "wins", Type: Int32, Repeats: true, Domain: counts, Doc: "games that the first settings won, the same in all rows of an iteration"},
	{Name: "draws", Type: Int32, Repeats: true, Domain: counts, Doc: "games drawn"},
	{Name: "losses", Type: Int32, Repeats: true, Domain: counts, Doc: "games that the first settings lost"},
	{Name: "next", Type: Float64, Doc: "value after the iteration"},
}}

const trajectoryDoc = `One row per parameter in an iteration of SPSA, made by kifu tune. Next to the parts:
options.txt, the final values as a player of kifu match; tune.txt and tune.json, the same with
intervals; trajectory.csv, a column per parameter; and the trajectory as a picture.`
