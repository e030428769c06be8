"""Expectations and p-values of report players by ratings, computed again outside Go.

    python3 testdata/players.py          writes players_expected.csv from database_games.csv of reporttest

The likelihood is climbed by scipy's general optimiser on all games one by one, and the
distribution of a pair's points comes from polynomials multiplied by numpy.
"""
import csv, math, os
import numpy as np
from scipy.optimize import minimize

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.path.join(HERE, "..", "..", "..", "kit", "reporttest", "testdata")
ENOUGH = 3


def path(name):
    return os.path.join(HERE if name.endswith("_expected.csv") else SHARED, name)


def odds(x, draws):
    w = [math.exp(x / 2), draws, math.exp(-x / 2)]
    return [v / sum(w) for v in w]


games = []
with open(path("database_games.csv")) as f:
    for g in csv.DictReader(f):
        if g["result"] and g["first_elo"] and g["second_elo"] and g["first_player"] != g["second_player"]:
            games.append((g["first_player"], g["second_player"], (int(g["first_elo"]) - int(g["second_elo"])) * math.log(10) / 400,
                          {"first": 0, "draw": 1, "second": 2}[g["result"]]))
d, result = np.array([g[2] for g in games]), np.array([g[3] for g in games])


def loss(v):
    x = v[0] * d + v[1]
    u = np.stack([x / 2, np.full_like(x, v[2]), -x / 2])
    u -= u.max(axis=0)
    return -np.mean(u[result, np.arange(len(x))] - np.log(np.exp(u).sum(axis=0)))


best = np.zeros(3)
for _ in range(6):
    best = minimize(loss, best, method="Nelder-Mead", options={"xatol": 1e-12, "fatol": 1e-16, "maxiter": 10000, "maxfev": 10000}).x
slope, advantage, draws = best[0], best[1], math.exp(best[2])

pairs = {}
for first, second, x, r in games:
    a, b = sorted((first, second))
    odd = odds(slope * x + advantage, draws)
    points = 2 - r
    if a != first:
        odd, points = odd[::-1], r
    pairs.setdefault((a, b), []).append((odd, points))
with open(path("players_expected.csv"), "w", newline="") as f:
    out = csv.writer(f, lineterminator="\n")
    out.writerow(["player", "opponent", "games", "half_points", "expected", "p"])
    out.writerow(["", "", len(games), repr(float(slope)), repr(float(advantage)), repr(draws)])
    for (a, b), own in sorted(pairs.items()):
        if len(own) < ENOUGH:
            continue
        p = np.array([1.0])
        for odd, _ in own:
            p = np.convolve(p, odd[::-1])
        half = sum(points for _, points in own)
        expected = sum(odd[0] + odd[1] / 2 for odd, _ in own)
        out.writerow([a, b, len(own), half, repr(expected), repr(float(min(1, 2 * min(p[: half + 1].sum(), p[half:].sum()))))])
