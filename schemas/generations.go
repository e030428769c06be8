package schemas

// Generations has one row per strategy in a generation of an evolution.
var Generations = Table{Name: "generations", Version: 1, Doc: generationsDoc, Columns: []Column{
	{Name: "generation", Type: Int32, Domain: counts, Doc: "from 0"},
	{Name: "rank", Type: Int32, Domain: counts, Doc: "of the strategy in its generation by score, from 1; ties are broken at random"},
	{Name: "strategy", Type: Int64, Domain: ids, Doc: "number of the strategy, the same in all generations that it lives through"},
	{Name: "parent", Type: Int64, Nullable: true, Domain: ids, Doc: "strategy that it was mutated from; null in generation 0"},
	{Name: "born", Type: Int32, Domain: counts, Doc: "generation in which it was made"},
	{Name: "wins", Type: Int32, Domain: counts, Doc: "games won in this generation, with either side"},
	{Name: "draws", Type: Int32, Domain: counts, Doc: "games drawn"},
	{Name: "losses", Type: Int32, Domain: counts, Doc: "games lost"},
	{Name: "score", Type: Int32, Doc: "fitness: 1 for a win, 0 for a draw, -2 for a loss"},
	{Name: "kept", Type: Bool, Doc: "it becomes a parent and lives on"},
	{Name: "sigma", Type: Float64, Doc: "geometric mean of its step sizes, in pieces"},
	{Name: "king", Type: Float64, Nullable: true, Doc: "value of a king in men (network); null where it does not evolve apart"},
	{Name: "weights", Type: Bytes, Nullable: true, Doc: "float32, little-endian: of a network all weights and biases in the order of eval/network, else those that evolve, in the evaluator's order and unit, stage by stage; null but in the generation it was born"},
}}

const generationsDoc = `One row per strategy in a generation, best first, made by kifu evolve; a part holds one
generation. Stored beside the parts: weights.toml, the evaluator of the best strategy of
the last generation, which match and label load (eval=FILE, --eval); model.toml, the same
strategy as a player at the depth it evolved at; generations.csv, one line per generation;
and evolve.txt.`
