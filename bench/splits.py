"""How much of what gradient boosting finds in labels do the splits of kifu report split explain?

    python splits.py CSV VALUE [ROWS]     rows of game_id, won, the value, the columns, and split_1, …

Boosting is scikit-learn's, and XGBoost's and LightGBM's where they are installed. All learn from the games
that the report searched and are judged on those it held out (seed 1, a share of 0.3), by the log-loss
beside the total curve: a spline of the value. Boosting has the columns of the report and the value; a
quarter of the games says when to stop. Intervals of 95 % are by the jackknife over 64 groups of games.
A fall that is not surely above zero has no share: boosting then finds nothing there. Of more than ROWS
rows (1,000,000) games are sampled by a hash. bench/splits.sh makes the rows.
"""
import os, sys
import numpy as np, pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

try:
    import xgboost
except ImportError:
    xgboost = None
try:
    import lightgbm
except ImportError:
    lightgbm = None

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
most, positions = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000, len(rows)
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


TREES, THREADS = 300, int(os.environ.get("OMP_NUM_THREADS", "1"))

# Each peer learns from the rows of learn and returns the log-odds of all, or, with rows to judge by, their
# log-loss after each tree.


def by_sklearn(x, learn, trees, judge=None):
    m = HistGradientBoostingClassifier(learning_rate=0.05, max_leaf_nodes=12, min_samples_leaf=300, l2_regularization=50, max_iter=trees,
                                       early_stopping=False, random_state=1).fit(x[learn], won[learn])
    if judge is None:
        return m.decision_function(x)
    return [np.mean(np.logaddexp(0, z) - won[judge] * z) for z in (z.ravel() for z in m.staged_decision_function(x[judge]))]


def by_xgboost(x, learn, trees, judge=None):
    settings = dict(objective="binary:logistic", eval_metric="logloss", eta=0.05, max_leaves=12, max_depth=0, grow_policy="lossguide", tree_method="hist",
                    min_child_weight=60, reg_lambda=50, nthread=THREADS, seed=1, base_score=float(won[learn].mean()))
    result, others = {}, [] if judge is None else [(xgboost.DMatrix(x[judge], won[judge]), "judge")]
    m = xgboost.train(settings, xgboost.DMatrix(x[learn], won[learn]), trees, evals=others, evals_result=result, verbose_eval=False)
    return m.predict(xgboost.DMatrix(x), output_margin=True).astype(float) if judge is None else result["judge"]["logloss"]


def by_lightgbm(x, learn, trees, judge=None):
    settings = dict(objective="binary", metric="binary_logloss", learning_rate=0.05, num_leaves=12, min_data_in_leaf=300, lambda_l2=50,
                    num_threads=THREADS, seed=1, deterministic=True, verbose=-1)
    result, data = {}, lightgbm.Dataset(x[learn], won[learn])
    others = [] if judge is None else [data.create_valid(x[judge], won[judge])]
    m = lightgbm.train(settings, data, trees, valid_sets=others, valid_names=["judge"] * len(others), callbacks=[lightgbm.record_evaluation(result)])
    return m.predict(x, raw_score=True) if judge is None else result["judge"]["binary_logloss"]


peers = {"scikit-learn": by_sklearn, "XGBoost": xgboost and by_xgboost, "LightGBM": lightgbm and by_lightgbm}


def boosted(peer, *more):
    """Log-odds by boosting: the number of trees by a quarter of the games, then grown of all."""
    x = np.column_stack([rows[columns].to_numpy(float), v, total, *more])
    losses = peer(x, train & ~validates, TREES, validates)
    return peer(x, train, int(np.argmin(losses)) + 1)


total = logistic(spline)
c = rows[splits].to_numpy(float)
by_splits = logistic(np.column_stack([spline, c, c * slope[:, None]])) if splits else total
loss = lambda odds: np.logaddexp(0, odds) - won * odds
odds = {"splits": by_splits}
for name, peer in peers.items():
    if peer:
        odds[name], odds["splits, then " + name] = boosted(peer), boosted(peer, by_splits)
falls = {name: np.array([[(loss(total) - loss(z))[held & (group == g)].sum(), (held & (group == g)).sum()] for g in range(GROUPS)])
         for name, z in odds.items()}


def jackknife(f):
    whole = f(np.ones(GROUPS, bool))
    d = np.array([f(np.arange(GROUPS) != g) for g in range(GROUPS)]) - whole
    return whole, 2 * np.sqrt((GROUPS - 1) / GROUPS * ((d - d.mean()) ** 2).sum())


fall = lambda name: lambda keep: falls[name][keep, 0].sum() / falls[name][keep, 1].sum()
print(f"{len(rows):,} of {positions:,} positions of {len(np.unique(game)):,} games, {len(splits)} splits, {len(columns)} columns")
for name in falls:
    print("{:28s} held-out log-loss falls by {:5.1f} ± {:.1f} e-4".format(name, *(1e4 * z for z in jackknife(fall(name)))))
for name in list(falls)[1:]:
    most, error = jackknife(fall(name))
    if most <= error:
        print(f"the fall by {name} cannot be told from chance: no share")
        continue
    print("the splits explain {:.0f} ± {:.0f} % of the fall by {}".format(*(100 * z for z in jackknife(lambda k: fall("splits")(k) / fall(name)(k))), name))
