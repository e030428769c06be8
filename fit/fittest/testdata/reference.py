#!/usr/bin/python3
"""Makes reference.csv and reference.json: a small data set with games, stages and draws,
and its fits by other people's solvers (numpy, scipy, statsmodels), to which the tests
hold package fit. Run it in this directory; it writes the same bytes every time for
the same versions of the libraries.

Column j of the design is count times stage share; the parameters are w_0*w_j and w_0.
"""
import csv, json
import numpy as np
import scipy, scipy.optimize as so
import statsmodels, statsmodels.api as sm

rng = np.random.default_rng(2007)
GAMES, PER = 90, 18
rows = []
planted = np.array([30.0, -10.0, 12.0, 25.0])  # a opening, a endgame, b, added
for g in range(GAMES):
    lean, base = rng.random(), rng.integers(-2, 3, size=2)
    drawn = rng.random() < 0.15
    for ply in range(PER):
        phase = int(rng.integers(0, 25))
        a, b = (base + rng.integers(-1, 2, size=2)).tolist()
        c = round(float(rng.normal()), 3)
        value = float(np.float32(round(float(rng.normal(0, 150)), 2)))
        m = phase / 24
        z = 0.006 * (value + planted @ [a * m, a * (1 - m), b, c])
        y = 0.5 if drawn else float(lean < 1 / (1 + np.exp(-z)))
        rows.append([g, phase, a, b, float(np.float32(c)), value, y])
with open("reference.csv", "w", newline="") as f:
    w = csv.writer(f, lineterminator="\n")
    w.writerow(["game", "phase", "a", "b", "c", "value", "y", "deep"])
    for r in rows:
        # What a deeper search might say of the position.
        r.append(float(np.float32(round(0.9 * r[5] + 15 * r[2] + 20 * r[4] + float(rng.normal(0, 40)), 2))))
        w.writerow([repr(v) if isinstance(v, float) else v for v in r])

data = np.array(rows)
def design(d):
    m = d[:, 1] / 24
    return np.column_stack([d[:, 2] * m, d[:, 2] * (1 - m), d[:, 3], d[:, 4], d[:, 5]])

def sigmoid(z): return 1 / (1 + np.exp(-z))

def weights(theta, cov=None):
    """Weights and w_0 from (w_0 w_j, w_0), with delta-method errors."""
    w0 = theta[-1]
    out = np.append(theta[:-1] / w0, w0)
    if cov is None: return out.tolist(), None
    J = np.zeros((len(theta),) * 2)
    for j in range(len(theta) - 1):
        J[j, j], J[j, -1] = 1 / w0, -theta[j] / w0**2
    J[-1, -1] = 1
    return out.tolist(), np.sqrt(np.diag(J @ cov @ J.T)).tolist()

def by_game(score, games):
    u = np.array([score[games == g].sum(0) for g in np.unique(games)])
    return len(u) / (len(u) - 1) * u.T @ u

def polish(fun, jac, hess, x):
    """Newton steps to the last digit, from an optimum of scipy's."""
    for _ in range(20): x = x - np.linalg.solve(hess(x), jac(x))
    return x

def result(theta, model=None, robust=None, **more):
    w, se = weights(theta, model)
    _, se_robust = weights(theta, robust)
    if robust is not None: more["z"] = (theta / np.sqrt(np.diag(robust)))[:-1].tolist()
    return dict(weights=w, se=se, se_robust=se_robust, **more)

out = {"versions": dict(numpy=np.__version__, scipy=scipy.__version__, statsmodels=statsmodels.__version__)}

# MLM without the draws: statsmodels' logit, its information matrix and its covariance
# clustered by game, whose factor (n-1)/(n-k) is taken out again.
d = data[data[:, 6] != 0.5]
X, y, games = design(d), d[:, 6], d[:, 0]
n, k = X.shape
scale = np.abs(X).max(0)
fit = sm.Logit(y, X / scale).fit(method="newton", tol=1e-14, disp=0, maxiter=100)
robust = sm.Logit(y, X / scale).fit(method="newton", tol=1e-14, disp=0, maxiter=100, cov_type="cluster", cov_kwds=dict(groups=games.astype(int)))
unscale = np.outer(scale, scale)
out["mlm"] = result(fit.params / scale, fit.cov_params() / unscale, robust.cov_params() / unscale * (n - k) / (n - 1), objective=-fit.llf / n)

# MLM with draws as half a win: statsmodels' binomial GLM.
X2, y2, games2 = design(data), data[:, 6], data[:, 0]
glm = sm.GLM(y2, X2 / scale, family=sm.families.Binomial()).fit(tol=1e-14, maxiter=100)
t = glm.params / scale
g = sigmoid(X2 @ t)
A = (X2 * (g * (1 - g))[:, None]).T @ X2
B = by_game((g - y2)[:, None] * X2, games2)
out["mlm_half"] = result(t, np.linalg.inv(A), np.linalg.inv(A) @ B @ np.linalg.inv(A),
                         objective=float(-(y2 * np.log(g) + (1 - y2) * np.log(1 - g)).mean()))

# MLM with a ridge of 0.01 on w_0*w_j beside the mean loss: scipy.
P = 0.01 * np.diag([1, 1, 1, 1, 0])
def mlm_g(t): return X.T @ (sigmoid(X @ t) - y) / n + P @ t
def mlm_h(t):
    g = sigmoid(X @ t)
    return (X * (g * (1 - g))[:, None]).T @ X / n + P
def mlm_f(t):
    z = X @ t
    return (np.logaddexp(0, z) - y * z).mean() + t @ P @ t / 2
t = so.minimize(lambda s: mlm_f(s / scale), np.zeros(k), jac=lambda s: mlm_g(s / scale) / scale, method="BFGS", tol=1e-10).x / scale
t = polish(mlm_f, mlm_g, mlm_h, t)
A = np.linalg.inv(n * mlm_h(t))
B = by_game((sigmoid(X @ t) - y)[:, None] * X, games)
out["mlm_l2"] = result(t, A, A @ B @ A, objective=float(mlm_f(t) - t @ P @ t / 2))

# MLM with w_0 held at 0.005.
fixed = sm.GLM(y, X[:, :4], family=sm.families.Binomial(), offset=0.005 * X[:, 4]).fit(tol=1e-14, maxiter=100)
g = fixed.predict()
A = np.linalg.inv((X[:, :4] * (g * (1 - g))[:, None]).T @ X[:, :4])
B = by_game((g - y)[:, None] * X[:, :4], games)
out["mlm_scale"] = dict(weights=(fixed.params / 0.005).tolist() + [0.005], se=(np.sqrt(np.diag(A)) / 0.005).tolist(),
                        se_robust=(np.sqrt(np.diag(A @ B @ A)) / 0.005).tolist(), objective=float(-(y * np.log(g) + (1 - y) * np.log(1 - g)).mean()))

# LS: scipy's curve_fit, which gives s2 (J'J)^-1 too; the sandwich by hand.
def ls_parts(t):
    g = sigmoid(X @ t)
    return g, g * (1 - g)
def ls_g(t):
    g, q = ls_parts(t)
    return X.T @ (2 * (g - y) * q)
def ls_h(t):
    g, q = ls_parts(t)
    return (X * (2 * q * q + 2 * (g - y) * q * (1 - 2 * g))[:, None]).T @ X
s, cov = so.curve_fit(lambda X, *s: sigmoid(X @ (np.array(s) / scale)), X, y, p0=fit.params, xtol=1e-15, ftol=1e-15, gtol=1e-15)
t = polish(None, ls_g, ls_h, s / scale)
assert np.allclose(t, s / scale, rtol=1e-5)
g, q = ls_parts(t)
J = X * q[:, None]
model = ((g - y) ** 2).sum() / (n - k) * np.linalg.inv(J.T @ J)
assert np.allclose(model, cov / unscale, rtol=1e-4)
A = np.linalg.inv(ls_h(t))
B = by_game((2 * (g - y) * q)[:, None] * X, games)
out["ls"] = result(t, model, A @ B @ A, objective=float(((g - y) ** 2).mean()))

# Ordered logit of loss, draw and win: P(y <= j) = sigmoid(c_j - X t). statsmodels' own
# solution, taken to the last digit by Newton steps; the Hessian by complex steps from
# the gradient. kifu has the thresholds as intercept -(c_1+c_2)/2 and width (c_2-c_1)/2;
# without an intercept they are symmetrical.
from statsmodels.miscmodels.ordinal_model import OrderedModel
X2s, class2 = X2 / scale, (2 * y2).astype(int)
def thresholds(p, m, centred):
    return (-p[m], p[m]) if centred else (-p[m] - p[m + 1], -p[m] + p[m + 1])
def ordered_scores(p, centred):
    """Derivatives of -ln P by the parameters, row by row: weights, (intercept), width."""
    m = X2s.shape[1]
    lo, hi = thresholds(p, m, centred)
    eta = X2s @ p[:m]
    F = lambda v: 1 / (1 + np.exp(-v))
    up = np.where(class2 == 2, 1, F(hi - eta)) * (class2 > 0) + F(lo - eta) * (class2 == 0)
    down = np.where(class2 == 0, 0, np.where(class2 == 1, F(lo - eta), F(hi - eta)))
    f = lambda v: F(v) * (1 - F(v))
    dup = np.where(class2 == 0, f(lo - eta), np.where(class2 == 1, f(hi - eta), 0))
    ddown = np.where(class2 == 0, 0, np.where(class2 == 1, f(lo - eta), f(hi - eta)))
    P = up - down
    deta = (dup - ddown) / P                     # of -ln P by eta
    by_hi = -np.where(class2 == 1, dup, np.where(class2 == 2, -ddown, 0)) / P
    by_lo = -np.where(class2 == 0, dup, np.where(class2 == 1, -ddown, 0)) / P
    extra = [by_hi - by_lo] if centred else [-(by_hi + by_lo), by_hi - by_lo]
    return np.column_stack([X2s * deta[:, None]] + extra)
def ordered_f(p, centred):
    lo, hi = thresholds(p, X2s.shape[1], centred)
    eta = X2s @ p[:X2s.shape[1]]
    P = np.choose(class2, [sigmoid(lo - eta), sigmoid(hi - eta) - sigmoid(lo - eta), 1 - sigmoid(hi - eta)])
    return -np.log(P).mean()
def ordered_h(p, centred):
    H = []
    for j in range(len(p)):
        q = p.astype(complex); q[j] += 1e-30j
        H.append(ordered_scores(q, centred).sum(0).imag / 1e-30)
    return (np.array(H) + np.array(H).T) / 2
model = OrderedModel(class2, X2s, distr="logit")
theirs = model.fit(method="bfgs", disp=0, gtol=1e-8, maxiter=500)
c1, c2 = model.transform_threshold_params(theirs.params[-2:])[1:3]
for name, centred, start in [("ordered", True, np.append(theirs.params[:k], (c2 - c1) / 2)),
                             ("ordered_intercept", False, np.append(theirs.params[:k], [-(c1 + c2) / 2, (c2 - c1) / 2]))]:
    p = start
    for _ in range(30): p = p - np.linalg.solve(ordered_h(p, centred), ordered_scores(p, centred).sum(0))
    if not centred:
        assert np.allclose(p, start, rtol=1e-4)
    A = np.linalg.inv(ordered_h(p, centred))
    if not centred:
        assert np.allclose(np.sqrt(np.diag(A))[:k], theirs.bse[:k], rtol=1e-3)
    B = by_game(ordered_scores(p, centred), games2)
    # In kifu's order: the weights, w_0, the width; delta method for the ratios.
    order = list(range(k - 1)) + ([] if centred else [k]) + [k - 1, len(p) - 1]
    unit = np.append(1 / scale, np.ones(len(p) - k))
    theta = (p * unit)[order]
    def ratios(cov):
        cov = (cov * np.outer(unit, unit))[np.ix_(order, order)]
        m, w0 = len(theta) - 2, theta[-2]
        J = np.eye(len(theta))
        for j in range(m):
            J[j, j], J[j, -2] = 1 / w0, -theta[j] / w0**2
        return np.sqrt(np.diag(J @ cov @ J.T)).tolist()
    out[name] = dict(weights=(theta[:-2] / theta[-2]).tolist() + theta[-2:].tolist(), se=ratios(A), se_robust=ratios(A @ B @ A), objective=float(ordered_f(p, centred)))

# Least squares on the deeper value: statsmodels' OLS, draws and all.
deep = np.array([r[7] for r in rows])
ols = sm.OLS(deep, X2).fit()
rob = sm.OLS(deep, X2).fit(cov_type="cluster", cov_kwds=dict(groups=games2.astype(int)))
n2 = len(deep)
out["value"] = result(ols.params, ols.cov_params(), rob.cov_params() * (n2 - k) / (n2 - 1), objective=float((ols.resid ** 2).mean()))

# MLM and LS of 0.3 deeper value + 0.7 result, the value as the probability that a
# logit of the results on it alone gives.
s = sm.GLM(y2, deep[:, None], family=sm.families.Binomial()).fit(tol=1e-14, maxiter=100).params[0]
mixed = 0.3 * sigmoid(s * deep) + 0.7 * y2
glm = sm.GLM(mixed, X2 / scale, family=sm.families.Binomial()).fit(tol=1e-14, maxiter=100)
g = glm.predict()
A = np.linalg.inv((X2 * (g * (1 - g))[:, None]).T @ X2)
B = by_game((g - mixed)[:, None] * X2, games2)
out["mlm_blend"] = result(glm.params / scale, A, A @ B @ A, target_scale=s, objective=float(-(mixed * np.log(g) + (1 - mixed) * np.log(1 - g)).mean()))
X, y, n = X2, mixed, n2
t = polish(None, ls_g, ls_h, so.curve_fit(lambda X, *s: sigmoid(X @ (np.array(s) / scale)), X, y, p0=glm.params, xtol=1e-15, ftol=1e-15, gtol=1e-15)[0] / scale)
g, q = ls_parts(t)
J = X * q[:, None]
A = np.linalg.inv(ls_h(t))
B = by_game((2 * (g - y) * q)[:, None] * X, games2)
out["ls_blend"] = result(t, ((g - y) ** 2).sum() / (n - k) * np.linalg.inv(J.T @ J), A @ B @ A, target_scale=s, objective=float(((g - y) ** 2).mean()))

# MLM of games of uneven length (3 to 18 positions), each of which counts the same: the
# weights add up to the number of positions.
keep = np.array([i % PER < 3 + i // PER % 16 for i in range(n2)])
Xg, yg, gg = X2[keep], y2[keep], games2[keep]
each = np.array([(gg == g).sum() for g in gg])
w = len(gg) / len(np.unique(gg)) / each
glm = sm.GLM(yg, Xg / scale, family=sm.families.Binomial(), var_weights=w).fit(tol=1e-14, maxiter=100)
g = glm.predict()
A = np.linalg.inv((Xg * (w * g * (1 - g))[:, None]).T @ Xg)
assert np.allclose(A, glm.cov_params() / unscale, rtol=1e-6)
B = by_game((w * (g - yg))[:, None] * Xg, gg)
out["mlm_game"] = result(glm.params / scale, A, A @ B @ A, objective=float(-(w * (yg * np.log(g) + (1 - yg) * np.log(1 - g))).sum() / w.sum()))

# Order agreement of the rounded value with the results: the area under scikit-learn's
# ROC curve without the draws, weighted, and scipy's Somers' D with them.
import sklearn.metrics as skm
from scipy.stats import somersd
coarse, heavy, sure = np.round(data[:, 5] / 50), 1 + np.arange(n2) % 3, y2 != 0.5
out["agreement"] = dict(auc=skm.roc_auc_score(y2[sure], coarse[sure], sample_weight=heavy[sure]), somers=(1 + somersd((2 * y2).astype(int), coarse.astype(int)).statistic) / 2)

# MLM with a lasso of 0.02 on w_0*w_j: scipy's L-BFGS-B on positive and negative parts,
# then Newton steps on what is not zero; the conditions of an optimum are asserted.
Xm, ym, gm = design(d), d[:, 6], d[:, 0]
nm, L1 = len(ym), 0.02
def smooth(t):
    z = Xm @ t
    return (np.logaddexp(0, z) - ym * z).mean(), Xm.T @ (sigmoid(z) - ym) / nm
def curvature(t):
    g = sigmoid(Xm @ t)
    return (Xm * (g * (1 - g))[:, None]).T @ Xm / nm
def split(s):
    t = np.append(s[:4] - s[4:8], s[8]) / scale
    f, g = smooth(t)
    l = L1 / scale[:4]
    return f + (l * (s[:4] + s[4:8])).sum(), np.concatenate([g[:4] / scale[:4] + l, -g[:4] / scale[:4] + l, g[4:] / scale[4:]])
s = so.minimize(split, np.zeros(9), jac=True, method="L-BFGS-B", bounds=[(0, None)] * 8 + [(None, None)], options=dict(ftol=1e-16, gtol=1e-12, maxiter=5000, maxfun=20000)).x
t = np.append(s[:4] - s[4:8], s[8]) / scale
on = np.append(np.abs(t[:4]) > 1e-7, True)
t[~on] = 0
for _ in range(30):
    pull = np.append(L1 * np.sign(t[:4]), 0)
    t[on] -= np.linalg.solve(curvature(t)[np.ix_(on, on)], (smooth(t)[1] + pull)[on])
assert 0 < on[:4].sum() < 4 and (np.abs(smooth(t)[1][~on]) < L1).all()
out["mlm_l1"] = dict(weights=weights(t)[0], se=[], se_robust=[], objective=float(smooth(t)[0]))

# MLM with a (endgame) >= 0 and 5 <= c <= 15, which are linear in theta: scipy's SLSQP;
# both bounds hold, and what is left is a logit of b and w_0 with the rest as offset.
ct = [dict(type="ineq", fun=lambda s: s[1]), dict(type="ineq", fun=lambda s: 15 * s[4] / scale[4] - s[3] / scale[3]), dict(type="ineq", fun=lambda s: s[3] / scale[3] - 5 * s[4] / scale[4])]
s = so.minimize(lambda s: (smooth(s / scale)[0], smooth(s / scale)[1] / scale), fit.params, jac=True, method="SLSQP", constraints=ct, options=dict(ftol=1e-15, maxiter=1000)).x
t = s / scale
assert abs(t[1] / t[4]) < 1e-3 and abs(t[3] / t[4] - 15) < 1e-3
Xb = np.column_stack([Xm[:, 0], Xm[:, 2], Xm[:, 4] + 15 * Xm[:, 3]])
sb = np.abs(Xb).max(0)
bound = sm.Logit(ym, Xb / sb).fit(method="newton", tol=1e-14, disp=0, maxiter=100)
p = bound.params / sb
assert np.allclose(p, [t[0], t[2], t[4]], rtol=1e-3)
g = bound.predict()
A = np.linalg.inv((Xb * (g * (1 - g))[:, None]).T @ Xb)
B = by_game((g - ym)[:, None] * Xb, gm)
reduced = result(p, A, A @ B @ A)
put = lambda v, a, c: [v[0], a, v[1], c, v[2]]
out["mlm_bound"] = dict(weights=put(reduced["weights"], 0, 15), se=put(reduced["se"], None, None), se_robust=put(reduced["se_robust"], None, None), objective=-bound.llf / nm)

# Tests of the group of a and b in the plain MLM: the likelihood ratio against the logit
# without them, Wald's statistic with the covariance by game, their chi-square chances;
# and the correlation of the errors of two weights.
from scipy.stats import chi2
null = sm.Logit(ym, Xm[:, 3:] / scale[3:]).fit(method="newton", tol=1e-14, disp=0, maxiter=100)
ratio = 2 * (fit.llf - null.llf)
V = robust.cov_params()[:3, :3] * (nm - k) / (nm - 1)
wald = fit.params[:3] @ np.linalg.solve(V, fit.params[:3])
theta, cov = fit.params / scale, fit.cov_params() / unscale
J = np.zeros((4, 5))
for j in range(4): J[j, j], J[j, 4] = 1 / theta[4], -theta[j] / theta[4]**2
C = J @ cov @ J.T
out["tests"] = dict(ratio=ratio, ratio_p=chi2.sf(ratio, 3), wald=wald, wald_p=chi2.sf(wald, 3), correlation=C[0, 1] / np.sqrt(C[0, 0] * C[1, 1]))

# A scale for each of three sources (game modulo 3), the weights shared: z = s_l (e + w x),
# by scipy from one scale for all, taken to the last digit by Newton steps on the
# gradient's complex-step derivative. The information is that of the predictions' first
# derivatives; the sandwich has the whole Hessian.
def levels(name, Xl, yl, gl, kind):
    m, L, nl = 4, 3, len(yl)
    source = (gl % 3).astype(int)
    one_of = (source[:, None] == np.arange(L)).astype(float)
    def parts(p):
        q = Xl[:, :m] @ p[:m] + Xl[:, m]
        s = p[m:][source]
        return q, s, s * q
    def by_z(z):
        """Loss, its first derivative by z, and the curvature without its second."""
        if kind == "value": return (z - yl) ** 2, 2 * (z - yl), 2 + 0 * z
        g = 1 / (1 + np.exp(-z)); q = g * (1 - g)
        if kind == "ls": return (g - yl) ** 2, 2 * (g - yl) * q, 2 * q * q
        return -(yl * np.log(g) + (1 - yl) * np.log(1 - g)), g - yl, q
    def scores(p):
        q, s, z = parts(p)
        d = by_z(z)[1]
        return np.column_stack([Xl[:, :m] * (s * d)[:, None], one_of * (q * d)[:, None]])
    def hess(p):
        H = []
        for j in range(m + L):
            c = p.astype(complex); c[j] += 1e-30j
            H.append(scores(c).sum(0).imag / 1e-30)
        return (np.array(H) + np.array(H).T) / 2
    s0 = 0.006 if kind != "value" else 1.0
    unit = np.append(np.full(m, 10.0), np.full(L, s0))
    p = so.minimize(lambda v: by_z(parts(v * unit)[2])[0].mean(), np.append(np.zeros(m), np.ones(L)),
                    jac=lambda v: scores(v * unit).mean(0) * unit, method="BFGS", tol=1e-9).x * unit
    for _ in range(20): p = p - np.linalg.solve(hess(p), scores(p).sum(0))
    q, s, z = parts(p)
    f, d, c = by_z(z)
    J = np.column_stack([Xl[:, :m] * s[:, None], one_of * q[:, None]])
    model = np.linalg.inv((J * c[:, None]).T @ J)
    if kind != "mlm": model = model * 2 * f.sum() / (nl - m - L)
    A = np.linalg.inv(hess(p))
    robust = A @ by_game(scores(p), gl) @ A
    out[name] = dict(weights=p.tolist(), se=np.sqrt(np.diag(model)).tolist(), se_robust=np.sqrt(np.diag(robust)).tolist(), objective=float(f.mean()))
levels("mlm_levels", Xm, ym, gm, "mlm")
levels("ls_levels", Xm, ym, gm, "ls")
levels("value_levels", X2, deep, games2, "value")

with open("reference.json", "w") as f:
    json.dump(out, f, indent=1)
    f.write("\n")
