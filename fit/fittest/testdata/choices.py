#!/usr/bin/python3
"""Makes choices.csv and choices.json: decisions with their alternatives, and the weights
and errors that statsmodels finds for them, to which the tests hold the methods choice
and pairs. Run it in this directory; it writes the same bytes every time for the same
versions of the libraries.

As in reference.py, a column is count times stage share, here times the mover's sign, and
the parameters are w_0*w_j and w_0.
"""
import csv, json
import numpy as np
import statsmodels, statsmodels.api as sm
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.tools.numdiff import approx_fprime

rng = np.random.default_rng(1974)
GAMES = 60
planted = np.array([30.0, -10.0, 12.0, 25.0])  # a opening, a endgame, b, added
rows = []
for g in range(GAMES):
    style = planted + rng.normal(0, 15, 4)  # moves of one game resemble each other
    base = rng.integers(-2, 3, size=2)
    for ply in range(int(rng.integers(5, 16))):
        sign = 1 - 2 * (ply % 2)
        about = float(rng.normal(0, 150))
        decision = []
        for _ in range(int(rng.integers(2, 8))):
            # A capture changes the phase after a move, so that phases differ.
            phase = max(0, 24 - ply - int(rng.integers(0, 3)))
            a, b = (base + rng.integers(-1, 2, size=2)).tolist()
            c = float(np.float32(round(float(rng.normal()), 3)))
            value = float(np.float32(round(about + float(rng.normal(0, 80)), 2)))
            m = phase / 24
            decision.append((phase, a, b, c, value, 0.01 * sign * (value + style @ [a * m, a * (1 - m), b, c])))
        u = np.array([d[5] for d in decision])
        p = np.exp(u - u.max())
        played = int(rng.choice(len(u), p=p / p.sum()))
        for i, d in enumerate(decision):
            rows.append([g, ply, sign, int(i == played), *d[:5]])
with open("choices.csv", "w", newline="") as f:
    w = csv.writer(f, lineterminator="\n")
    w.writerow(["game", "ply", "sign", "played", "phase", "a", "b", "c", "value"])
    w.writerows(rows)

d = np.array(rows)
m = d[:, 4] / 24
X = d[:, [2]] * np.column_stack([d[:, 5] * m, d[:, 5] * (1 - m), d[:, 6], d[:, 7], d[:, 8]])
played, games = d[:, 3] == 1, d[:, 0].astype(int)
decision = np.unique(d[:, :2], axis=0, return_inverse=True)[1].ravel()
scale = X.std(0)
Z = X / scale
k = X.shape[1]

def result(theta, model, robust, objective):
    """Weights and w_0 from the scaled (w_0 w_j, w_0), with delta-method errors."""
    theta = theta / scale
    w0 = theta[-1]
    J = np.diag(np.append(np.full(k - 1, 1 / w0), 1.0))
    J[:-1, -1] = -theta[:-1] / w0**2
    se = lambda cov: np.sqrt(np.diag(J @ (cov / np.outer(scale, scale)) @ J.T)).tolist()
    return dict(weights=np.append(theta[:-1] / w0, w0).tolist(), se=se(model), se_robust=se(robust), objective=float(objective))

def logit_parts(t):
    """Chances within the decisions, and by decision the score and the information."""
    e = np.exp(Z @ t)
    p = e / np.bincount(decision, e)[decision]
    n = decision.max() + 1
    means = np.zeros((n, k))
    np.add.at(means, decision, p[:, None] * Z)
    score = np.zeros((n, k))
    score[decision[played]] = Z[played]
    score -= means
    info = np.zeros((n, k, k))
    np.add.at(info, decision, p[:, None, None] * Z[:, :, None] * Z[:, None, :])
    return p, score, info - means[:, :, None] * means[:, None, :]

def by_game(score, of):
    u = np.array([score[of == g].sum(0) for g in np.unique(of)])
    return len(u) / (len(u) - 1) * u.T @ u

out = {"versions": dict(numpy=np.__version__, statsmodels=statsmodels.__version__)}

# choice: statsmodels' conditional logit. Its Hessian is a one-sided difference of its
# score, good to 1e-5; here it is a two-sided one. Scores by decision are summed by game
# for the robust errors, which it does not have.
model = ConditionalLogit(played.astype(int), Z, groups=decision)
fit = model.fit(method="newton", disp=0, tol=1e-13, maxiter=100)
t = np.asarray(fit.params)
game_of = games[played][np.argsort(decision[played])]
p, score, info = logit_parts(t)
A = np.linalg.inv(-approx_fprime(t, model.score, centered=True))
A = (A + A.T) / 2
assert np.abs(score.sum(0)).max() < 1e-10 and np.allclose(A, fit.cov_params(), rtol=1e-4) and np.allclose(A, np.linalg.inv(info.sum(0)), rtol=1e-7)
n = len(score)
out["choice"] = result(t, A, A @ by_game(score, game_of) @ A, -fit.llf / n)
best = np.maximum.reduceat((Z @ t)[np.argsort(decision, kind="stable")], np.searchsorted(np.sort(decision), np.arange(n)))
out["choice"]["accuracy"] = float(((Z @ t)[played] == best[decision[played]]).mean())

# The same with every game counted the same: Newton steps, held to the weights all 1.
def newton(w):
    t = np.zeros(k)
    for _ in range(30):
        _, score, info = logit_parts(t)
        t = t + np.linalg.solve((w[:, None, None] * info).sum(0), (w[:, None] * score).sum(0))
    return t
assert np.allclose(newton(np.ones(n)), t, rtol=1e-6)
w = n / len(np.unique(game_of)) / np.bincount(game_of)[game_of]
t = newton(w)
p, score, info = logit_parts(t)
A = np.linalg.inv((w[:, None, None] * info).sum(0))
ll = (w * np.log(p[played][np.argsort(decision[played])])).sum()
out["choice_game"] = result(t, A, A @ by_game(w[:, None] * score, game_of) @ A, -ll / n)

# pairs: statsmodels' logit of the differences between the move played and each other,
# every second one turned round, with its covariance clustered by game less its factor.
first = np.zeros((n, k))
first[decision[played]] = Z[played]
D = (first[decision] - Z)[~played]
turn = 1 - 2 * (np.arange(len(D)) % 2)
y, pair_game = (turn > 0).astype(int), games[~played]
logit = lambda **how: sm.Logit(y, D * turn[:, None]).fit(method="newton", tol=1e-14, disp=0, maxiter=100, **how)
fit, robust = logit(), logit(cov_type="cluster", cov_kwds=dict(groups=pair_game))
out["pairs"] = result(fit.params, fit.cov_params(), robust.cov_params() * (len(D) - k) / (len(D) - 1), -fit.llf / len(D))

with open("choices.json", "w") as f:
    json.dump(out, f, indent=1)
    f.write("\n")
