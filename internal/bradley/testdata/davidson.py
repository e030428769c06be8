"""Davidson's model with an advantage of the first move, fitted by statsmodels.

    python3 testdata/davidson.py make     writes davidson_games.csv (once; it is committed)
    python3 testdata/davidson.py          writes davidson_expected.csv from it

Other than the package, which climbs the likelihood of the results, this fits a Poisson
regression of the counts of wins, draws and losses: log mean = cell + x·(1/2, 0, -1/2) +
log ν·(0, 1, 0). Its maximum is the same (Fienberg and Larntz 1976), and so are errors that
are robust to clusters of whole cells. The first player's strength is 0; strengths are
compared as differences from it.
"""
import csv, math, os, random, sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLAYERS = 9


def path(name):
    return os.path.join(HERE, name)


def make():
    rng = random.Random(5)
    strength = [rng.gauss(0, 1) for _ in range(PLAYERS)]
    with open(path("davidson_games.csv"), "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["first", "second", "wins", "draws", "losses"])
        for a in range(PLAYERS):
            for b in range(PLAYERS):
                if a == b or rng.random() < 0.25:
                    continue
                x = strength[a] - strength[b] + 0.3
                weights = [math.exp(x / 2), 0.8, math.exp(-x / 2)]
                n = rng.choices(range(3), weights, k=rng.randint(1, 25))
                out.writerow([a, b, n.count(0), n.count(1), n.count(2)])


def fit():
    import numpy as np, statsmodels.api as sm
    with open(path("davidson_games.csv")) as f:
        cells = [{k: int(v) for k, v in row.items()} for row in csv.DictReader(f)]
    counts, rows, clusters = [], [], []
    for i, c in enumerate(cells):
        for kind, lean in (("wins", 0.5), ("draws", 0.0), ("losses", -0.5)):
            x = np.zeros(len(cells) + PLAYERS + 1)  # cells, strengths 1.., advantage, log ν
            x[i] = 1
            if c["first"]:
                x[len(cells) + c["first"] - 1] += lean
            if c["second"]:
                x[len(cells) + c["second"] - 1] -= lean
            x[-2] = lean
            x[-1] = 1 if kind == "draws" else 0
            counts.append(c[kind])
            rows.append(x)
            a, b = sorted((c["first"], c["second"]))
            clusters.append(a * PLAYERS + b)
    model = sm.GLM(np.array(counts), np.array(rows), family=sm.families.Poisson())
    r = model.fit(maxiter=200, tol=1e-14, cov_type="cluster", cov_kwds={"groups": np.array(clusters), "use_correction": False})
    names = ["strength %d" % k for k in range(1, PLAYERS)] + ["advantage", "log draws"]
    with open(path("davidson_expected.csv"), "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["unknown", "value", "error"])
        for name, value, error in zip(names, r.params[len(cells):], r.bse[len(cells):]):
            out.writerow([name, repr(float(value)), repr(float(error))])


make() if sys.argv[1:] == ["make"] else fit()
