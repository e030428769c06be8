"""How much of what scikit-learn's gradient boosting finds in labels do the splits of kifu report split explain?

    python splits.py CSV VALUE [ROWS]     rows of game_id, won, the value, the columns, and split_1, …

Both learn from the games that the report searched and are judged on those it held out (seed 1, a
share of 0.3), by the log-loss beside the total curve: a spline of the value. Boosting has the columns
of the report and the value; a quarter of the games says when to stop. Intervals are by the jackknife
over 64 groups of games. Of more than ROWS rows (250,000) games are sampled by a hash, so that it ends:
kifu's own trees learn from a sample of 200,000. bench/splits.sh makes the rows.
"""
import sys
import numpy as np, pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

HOLDOUT, SEED, GROUPS = 0.3, 1, 64


def hashed(game, seed):
    """SplitMix64's finisher (Steele, Lea and Flood 2014), twice, as in internal/splitmix."""
    golden = np.uint64(0x9E3779B97F4A7C15)

    def mix(x):
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))

    with np.errstate(over="ignore"):
        return mix(mix(np.uint64(seed % 2**64) + golden) + game.astype(np.uint64) * golden)


rows = pd.read_csv(sys.argv[1])
most, positions = int(sys.argv[3]) if len(sys.argv) > 3 else 250_000, len(rows)
if positions > most:
    share = (hashed(rows["game_id"].to_numpy(), 7) >> np.uint64(11)).astype(float) / 2**53
    rows = rows[share < most / positions].reset_index(drop=True)
splits = [c for c in rows if c.startswith("split_")]
columns = [c for c in rows if c not in splits and c not in ("game_id", "won", sys.argv[2])]
game, won, v = rows["game_id"].to_numpy(), rows["won"].to_numpy(), rows[sys.argv[2]].to_numpy()
held = (hashed(game, SEED) >> np.uint64(11)).astype(float) / 2**53 < HOLDOUT
group = (hashed(game, ~SEED % 2**64) % np.uint64(GROUPS)).astype(int)
train, validates = ~held, ~held & (group % 4 == 0)

knots = np.unique(np.quantile(v, [0.005, 0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 0.995]))
spline = np.column_stack([np.interp(v, knots, e) for e in np.eye(len(knots))])
slope = np.clip(v, knots[0], knots[-1]) / max(abs(knots[0]), abs(knots[-1]))


def logistic(x):
    m = LogisticRegression(C=1e6, fit_intercept=False, max_iter=5000).fit(x[train], won[train])
    return m.decision_function(x)


def boosted(*more):
    """Log-odds by boosting: the number of trees by a quarter of the games, then grown of all."""
    x = np.column_stack([rows[columns].to_numpy(float), v, total, *more])
    make = lambda n: HistGradientBoostingClassifier(learning_rate=0.05, max_leaf_nodes=12, min_samples_leaf=300, l2_regularization=50, max_iter=n, early_stopping=False, random_state=1)
    m = make(200).fit(x[train & ~validates], won[train & ~validates])
    losses = [np.mean(np.logaddexp(0, z) - won[validates] * z) for z in (z.ravel() for z in m.staged_decision_function(x[validates]))]
    return make(int(np.argmin(losses)) + 1).fit(x[train], won[train]).decision_function(x)


total = logistic(spline)
c = rows[splits].to_numpy(float)
by_splits = logistic(np.column_stack([spline, c, c * slope[:, None]])) if splits else total
by_trees, further = boosted(), boosted(by_splits)
loss = lambda odds: np.logaddexp(0, odds) - won * odds
falls = {name: np.array([[(loss(total) - loss(odds))[held & (group == g)].sum(), (held & (group == g)).sum()] for g in range(GROUPS)])
         for name, odds in (("splits", by_splits), ("boosting", by_trees), ("splits, then boosting", further))}


def jackknife(f):
    whole = f(np.ones(GROUPS, bool))
    d = np.array([f(np.arange(GROUPS) != g) for g in range(GROUPS)]) - whole
    return whole, 2 * np.sqrt((GROUPS - 1) / GROUPS * ((d - d.mean()) ** 2).sum())


fall = lambda name: lambda keep: falls[name][keep, 0].sum() / falls[name][keep, 1].sum()
print(f"{len(rows):,} of {positions:,} positions of {len(np.unique(game)):,} games, {len(splits)} splits, {len(columns)} columns")
for name in falls:
    print("{:24s} held-out log-loss falls by {:5.1f} ± {:.1f} e-4".format(name, *(1e4 * z for z in jackknife(fall(name)))))
for name in ("boosting", "splits, then boosting"):
    print("the splits explain {:.0f} ± {:.0f} % of the fall by {}".format(*(100 * z for z in jackknife(lambda k: fall("splits")(k) / fall(name)(k))), name))
