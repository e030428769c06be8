package schemas

// Generations has one row per strategy in a generation of an evolution.
var Generations = Table{Name: "generations", Version: 1, Doc: generationsDoc, Columns: []Column{
	{Name: "generation", Type: Int32, Domain: counts, Doc: "from 0"},
	{Name: "rank", Type: Int32, Domain: counts, Doc: "by score in its generation, from 1"},
	{Name: "strategy", Type: Int64, Domain: ids, Doc: "number of the strategy, the same in all generations"},
	{Name: "parent", Type: Int64, Nullable: true, Domain: ids, Doc: "strategy that it was mutated from; null in generation 0"},
	{Name: "born", Type: Int32, Domain: counts, Doc: "generation in which it was made"},
	{Name: "wins", Type: Int32, Domain: counts, Doc: "games won in this generation, with either side"},
	{Name: "draws", Type: Int32, Domain: counts, Doc: "games drawn"},
	{Name: "losses", Type: Int32, Domain: counts, Doc: "games lost"},
	{Name: "score", Type: Int32, Doc: "fitness: 1 for a win, 0 for a draw, -2 for a loss"},
	{Name: "kept", Type: Bool, Doc: "it becomes a parent and lives on"},
	{Name: "sigma", Type: Float64, Doc: "geometric mean of its step sizes, in pieces"},
	{Name: "king", Type: Float64, Nullable: true, Doc: "value of a king in men (network); null where it does not evolve apart"},
	{Name: "weights", Type: Bytes, Nullable: true, Doc: "float32, little-endian, in the evaluator's order: of a network all, else those that evolve; null after the generation it was born"},
}}

const generationsDoc = `One row per strategy in a generation, best first, made by kifu evolve; a part has one
generation. Next to the parts: weights.toml, the best strategy of the last generation
(eval=FILE, --eval); model.toml, the same as a player; generations.csv, one line per
generation; and evolve.txt.`
