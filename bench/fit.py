"""Fits the arrays of bench/fit with scipy and scikit-learn, and sets kifu's fits beside
them (see fit.sh):

    fit.py run FILE COMMAND...   run kifu and write what it cost to FILE
    fit.py compare DIR L2        raw/, mlm/, ls/ and the costs of the latter two, with a
                                 ridge of L2/2 times the squares of all but the scale
"""
import json, resource, subprocess, sys, time

if sys.argv[1] == "run":
    begun = time.time()
    code = subprocess.run(sys.argv[3:]).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(sys.argv[2], "w") as f:
        json.dump(dict(seconds=time.time() - begun, cpu=used.ru_utime + used.ru_stime, bytes=1024 * used.ru_maxrss), f)
    sys.exit(code)

import numpy as np, scipy.sparse as sp, scipy.optimize as so
from sklearn.linear_model import LogisticRegression

dir, l2 = sys.argv[2], float(sys.argv[3])
raw = f"{dir}/raw"
begun = time.time()
read = lambda name, t: np.fromfile(f"{raw}/{name}", dtype=t)
value, y = read("value", "<f8"), read("y", "<f8")
X = sp.csr_matrix((read("data", "<f8"), read("indices", "<i4"), read("indptr", "<i4")))
X = sp.hstack([X, value[:, None]], format="csr")
scale = np.sqrt(X.multiply(X).mean(0)).A1
scale[scale == 0] = 1  # terms that no position has
X = (X @ sp.diags(1 / scale)).tocsr()
n, k = X.shape
ridge = l2 / scale**2
ridge[-1] = 0
print(f"{n} rows, {k} parameters, {X.nnz / n:.1f} non-zeros a row; reading and scaling {time.time() - begun:.1f} s")

def sigmoid(z): return 1 / (1 + np.exp(-z))
def mlm(t):
    z = X @ t
    return (np.logaddexp(0, z) - y * z).mean() + ridge @ t**2 / 2, X.T @ (sigmoid(z) - y) / n + ridge * t
def ls(t):
    g = sigmoid(X @ t)
    return ((g - y) ** 2).mean() + ridge @ t**2 / 2, X.T @ (2 * (g - y) * g * (1 - g)) / n + ridge * t

def load(name):
    with open(f"{dir}/{name}") as f: return json.load(f)

def timed(who, what, ours, fit):
    wall, cpu = time.time(), time.process_time()
    objective = fit()
    wall, cpu = time.time() - wall, time.process_time() - cpu
    print(f"{what:4s} {who:20s} {wall:8.2f} s {cpu:8.2f} s of processors  objective {objective:.12f}  {wall / ours['seconds']:.1f} and {cpu / ours['cpu']:.1f} times kifu's")

for what, f in [("mlm", mlm), ("ls", ls)]:
    s, cost = load(f"{what}/fit.json")["solver"], load(f"{what}.cost")
    print(f"{what:4s} {'kifu':20s} {cost['seconds']:8.2f} s {cost['cpu']:8.2f} s of processors  objective {s['objective'] + s['penalty']:.12f}  with covariances and reading; gradient norm {s['gradient_norm']:.1e}, {s['passes']} passes; rows {s['bytes_per_row']} B each, peak {cost['bytes'] / n:.0f} B a row ({cost['bytes'] / 1e9:.2f} GB)")
    timed("scipy L-BFGS-B", what, cost, lambda: so.minimize(f, np.zeros(k), jac=True, method="L-BFGS-B", options=dict(maxiter=1000, maxfun=2000, ftol=1e-15, gtol=1e-9)).fun)
    if what == "mlm" and l2 == 0:
        timed("scikit-learn lbfgs", what, cost, lambda: mlm(LogisticRegression(penalty=None, fit_intercept=False, tol=1e-8, max_iter=1000).fit(X, y).coef_[0])[0])
print(f"python's peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")
