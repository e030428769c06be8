#!/usr/bin/python3
"""The numbers of report split, computed again outside of Go.

    python3 split.py make     writes split.csv (once; it is committed)
    python3 split.py          writes split.json from it

Fits and scores are those of statsmodels, the rising curve is scikit-learn's, tails and
quantiles are scipy's. "exact" is what kifu defines: values at the centres of parts of a
bin, a step of Newton's method from the total curve, half a win and half a loss at a unit
of every regressor. "free" is the textbook's instead: the maximum of the likelihood over
the values themselves, with the cluster-robust covariance of GLM.fit.
"""
import csv, json, os, sys
import numpy as np
import scipy.special, scipy.stats
import statsmodels.api as sm
from sklearn.isotonic import isotonic_regression
from statsmodels.stats.sandwich_covariance import S_crosssection

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, FINE, HOLDOUT, SEED, GROUPS = 100, 4, 0.45, 1, 64
KNOTS = [0.005, 0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 0.995]
CONDITION = "king_safety >= 30"
Logit = sm.families.Binomial()


def make():
    """Games of an evaluator that lacks king safety, with one result for all positions."""
    rng = np.random.default_rng(2007)
    with open(os.path.join(HERE, "split.csv"), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(["game_id", "value", "king_safety", "result"])
        for game in range(520):
            sign = rng.choice([-1, 1])
            result = "draw" if rng.random() < 0.1 else "first" if sign > 0 else "second"
            value = safety = 0.0
            for _ in range(rng.integers(4, 30)):
                value += 180 * (sign * 0.03 + rng.normal(0, 0.25))
                safety += 180 * (sign * 0.01 + rng.normal(0, 0.14))
                w.writerow([game, round(value), round(safety), result])


def side_hash(game, seed):
    """SplitMix64's finisher (Steele, Lea and Flood 2014), twice."""
    mask, golden = 2**64 - 1, 0x9E3779B97F4A7C15

    def mix(x):
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
        x = (x ^ x >> 27) * 0x94D049BB133111EB & mask
        return x ^ x >> 31

    return mix((mix((seed + golden) & mask) + game * golden) & mask)


def fit(x, won, n, **how):
    """Maximum likelihood of logit P(win) = x·theta for n positions a row, with kifu's guard."""
    k = x.shape[1]
    x, share, n = np.vstack([x, np.eye(k)]), np.append(won / np.maximum(n, 1), [0.5] * k), np.append(n, [1] * k)
    return sm.GLM(share[n > 0], x[n > 0], family=Logit, freq_weights=n[n > 0]).fit(maxiter=200, tol=1e-14, tol_criterion="params", **how).params


class Axis:
    """Evaluations in parts of bins, with the basis of the spline."""

    def __init__(self, value):
        part = np.floor((value / WIDTH + 0.5) * FINE).astype(int)
        at, counts = np.unique(part, return_counts=True)
        below = np.cumsum(counts)
        quantile = lambda share: at[np.argmax(below >= share * len(value))]
        self.first, last = quantile(0.0005), quantile(0.9995)
        self.size = last - self.first + 1
        centre = lambda p: ((p + 0.5) / FINE - 0.5) * WIDTH
        self.part = np.clip(part, self.first, last) - self.first
        self.value = centre(np.arange(self.first, last + 1))
        self.knots = knots = np.unique([centre(np.clip(quantile(s), self.first, last)) for s in KNOTS])
        inside = np.clip(self.value, knots[0], knots[-1])
        self.slope = inside / max(abs(knots[0]), abs(knots[-1]))
        self.basis = np.column_stack([np.interp(inside, knots, row) for row in np.eye(len(knots))])
        self.bin = (self.first + np.arange(self.size)) // FINE * WIDTH

    def table(self, rows, won):
        """Positions and wins by part."""
        return np.bincount(self.part[rows], minlength=self.size).astype(float), np.bincount(self.part[rows], won[rows], self.size)


class Total:
    """The total curve in log-odds, made to rise by pooling its knots."""

    def __init__(self, axis, table):
        n, won = table
        k = axis.basis.shape[1]
        near = 1 + np.bincount(np.argmax(axis.basis, 1), n, k)
        height = isotonic_regression(fit(axis.basis, won, n), sample_weight=near)
        self.p = np.unique(height)
        self.v = np.array([np.average(axis.knots[height == q], weights=near[height == q]) for q in self.p])

    def at(self, v):
        return np.interp(v, self.v, self.p)

    def invert(self, odds):
        return np.interp(odds, self.p, self.v, left=np.nan, right=np.nan)


class Gap:
    """logit P(win) = shift + stretch·f(v) of a condition's positions, f the total curve."""

    def __init__(self, axis, total, condition):
        n, won = condition
        self.total, f = total, total.at(axis.value)
        x = np.column_stack([np.ones(axis.size), f])
        self.shift, self.stretch = fit(x, won, n)
        p = scipy.special.expit(self.shift + self.stretch * f)
        self.covariance = np.linalg.inv(x.T @ (x * (n * p * (1 - p))[:, None]))

    def at(self, v):
        return self.total.invert(self.odds(v)) - v

    def odds(self, v):
        return self.shift + self.stretch * self.total.at(v)

    def worth(self, v, effect):
        """The gap less two errors; without one that large, its size in errors."""
        x = np.array([1, self.total.at(v)])
        errors = abs(self.odds(v) - x[1]) / np.sqrt(effect * x @ self.covariance @ x)
        return (errors - 2) * (abs(self.at(v)) / errors if errors > 2 else 1)

    def steep(self, v):
        p = scipy.special.expit(self.odds(v))
        return (p >= 0.1) & (p <= 0.9) & ~np.isnan(self.at(v))


STUDENT, SCHEFFE = scipy.stats.t.ppf(0.975, GROUPS - 1), np.sqrt(2 * scipy.stats.f.ppf(0.95, 2, GROUPS - 1))


def jackknife(estimate, factor=STUDENT):
    whole = estimate(None)
    d = np.array([estimate(g) - whole for g in range(GROUPS)])
    reach = factor * np.sqrt((GROUPS - 1) / GROUPS * ((d - d.mean()) ** 2).sum())
    return [float(whole), float(whole - reach), float(whole + reach)]


def score_test(axis, rows, c, won, game):
    """The statistic of (d, h) by one step from the total curve, robust to games."""
    n, w = axis.table(rows, won)
    theta = fit(axis.basis, w, n)
    x, z = axis.basis[axis.part[rows]], c[rows, None] * np.column_stack([np.ones(rows.sum()), axis.slope[axis.part[rows]]])
    model = sm.GLM(won[rows], np.hstack([x, z]), family=Logit)
    theta = np.append(theta, [0, 0])
    information = -model.hessian(theta, observed=False)
    scores = model.score_obs(theta)
    k = x.shape[1]
    project = information[k:, :k] @ np.linalg.inv(information[:k, :k])
    u = scores.sum(0)[k:] - project @ scores.sum(0)[:k]
    efficient = information[k:, k:] - project @ information[:k, k:]
    games = len(np.unique(game[rows]))
    lift = np.hstack([-project, np.eye(2)])
    variance = lift @ S_crosssection(scores, np.unique(game[rows], return_inverse=True)[1]) @ lift.T * games / (games - k)
    step = np.linalg.solve(efficient, u)
    wald = u @ np.linalg.solve(variance, u)
    inside = np.unique(game[rows & (c > 0)], return_counts=True)[1]
    df = inside.sum() ** 2 / (inside**2).sum() - 1
    return {
        "positions": int((rows & (c > 0)).sum()), "games": len(inside), "wald": float(wald), "shift": float(step[0]), "slope": float(step[1]),
        "gain": float(u @ step / 2), "p": float(scipy.stats.f.sf(wald * (df - 1) / (2 * df), 2, df - 1)),
    }


def main():
    rows = list(csv.DictReader(open(os.path.join(HERE, "split.csv"))))
    rows = [r for r in rows if r["result"] != "draw"]
    game = np.array([int(r["game_id"]) for r in rows])
    value = np.array([float(r["value"]) for r in rows])
    c = np.array([float(r["king_safety"]) >= 30 for r in rows]).astype(float)
    won = np.array([r["result"] == "first" for r in rows]).astype(float)
    held = np.array([(side_hash(g, SEED) >> 11) / 2**53 < HOLDOUT for g in game.tolist()])
    group = np.array([side_hash(g, ~SEED % 2**64) % GROUPS for g in game.tolist()])
    train = ~held
    axis = Axis(value)

    exact = {"train": score_test(axis, train, c, won, game), "held": score_test(axis, held, c, won, game)}
    pick = lambda rows, without: rows & (group != without) if without is not None else rows
    total = lambda rows, without=None: axis.table(pick(rows, without), won)
    inside = lambda rows, without=None: axis.table(pick(rows, without) & (c > 0), won)
    both = train | held

    gap = lambda rows, without=None: Gap(axis, Total(axis, total(rows, without)), inside(rows, without))
    curve, values = gap(train), np.sort(axis.value[axis.part[train & (c > 0)]])
    low, high = (axis.bin[axis.value == values[int(np.ceil(q * len(values))) - 1]][0] for q in (0.1, 0.9))
    places = np.arange(low, high + 1, WIDTH)
    at = float(max(places[curve.steep(places)], key=lambda v: curve.worth(v, 2 * exact["train"]["gain"] / exact["train"]["wald"])))

    def mean_gap(without):
        g, (n, _) = gap(both, without), inside(both, without)
        ok = g.steep(axis.value)
        return np.average(g.at(axis.value)[ok], weights=n[ok])

    def stacked(x, extra, rows, without=None):
        """A row for each part inside of the condition, and one outside."""
        (n, w), (m, v) = total(rows, without), inside(rows, without)
        return np.vstack([np.hstack([x, extra]), np.hstack([x, 0 * extra])]), np.append(v, w - v), np.append(m, n - m)

    ones = np.ones((axis.size, 1))
    scale = max(abs(axis.value[0]), abs(axis.value[-1]))

    def weight(without):
        theta = fit(*stacked(np.column_stack([ones, axis.value / scale]), ones, train, without))
        return theta[2] / theta[1] * scale

    more = np.column_stack([ones, axis.slope])
    wide, w, n = stacked(axis.basis, more, train)
    f, better = fit(axis.basis, *total(train)[::-1]), fit(wide, w, n)
    losses = lambda eta, w, n: w @ np.logaddexp(0, -eta) + (n - w) @ np.logaddexp(0, eta)

    def fall(without):
        wide, w, n = stacked(axis.basis, more, held, without)
        return (losses(wide[:, : len(f)] @ f, w, n) - losses(wide @ better, w, n)) / n.sum()

    exact |= {
        "at": at, "gap": jackknife(lambda g: gap(both, g).at(at), SCHEFFE), "gap_held_out": jackknife(lambda g: gap(held, g).at(at), SCHEFFE),
        "mean_gap": jackknife(mean_gap), "weight": jackknife(weight), "log_loss_fall": jackknife(fall),
    }

    def free(rows):
        """Wald's and the likelihood ratio statistic with the values as they are."""
        knots = np.unique(axis.value[[int(np.argmax(b)) for b in axis.basis.T]])
        v = np.clip(value[rows], knots[0], knots[-1])
        x = np.column_stack([np.interp(v, knots, row) for row in np.eye(len(knots))])
        z = c[rows, None] * np.column_stack([np.ones(len(v)), v / max(abs(knots[0]), abs(knots[-1]))])
        curve = sm.GLM(won[rows], x, family=Logit).fit(tol=1e-12)
        m = sm.GLM(won[rows], np.hstack([x, z]), family=Logit).fit(tol=1e-12, cov_type="cluster", cov_kwds={"groups": game[rows], "use_correction": False})
        wald = m.wald_test(np.eye(x.shape[1] + 2)[-2:], use_f=False, scalar=True).statistic
        return m, {"wald": float(wald), "ratio": float(2 * (m.llf - curve.llf)), "shift": float(m.params[-2]), "slope": float(m.params[-1])}

    _, a = free(train)
    _, b = free(held)
    straight = sm.GLM(won[train], np.column_stack([np.ones(train.sum()), value[train], c[train]]), family=Logit)
    m = straight.fit(tol=1e-12, cov_type="cluster", cov_kwds={"groups": game[train]})
    ratio, j = m.params[2] / m.params[1], np.array([0, -m.params[2] / m.params[1] ** 2, 1 / m.params[1]])
    free_numbers = {"train": a, "held": b, "weight": float(ratio), "weight_se": float(np.sqrt(j @ m.cov_params() @ j))}
    with open(os.path.join(HERE, "split.json"), "w") as f:
        json.dump({"condition": CONDITION, "exact": exact, "free": free_numbers}, f, indent=1)
        f.write("\n")


make() if sys.argv[1:] == ["make"] else main()
