"""Fits the arrays of bench/fit with scipy and scikit-learn, and sets kifu's fits beside
them: fit.py RAW_DIR MLM_DIR MLM_SECONDS LS_DIR LS_SECONDS (see fit.sh)."""
import json, resource, sys, time
import numpy as np, scipy.sparse as sp, scipy.optimize as so
from sklearn.linear_model import LogisticRegression

raw, mlm_dir, mlm_s, ls_dir, ls_s = sys.argv[1:6]
begun = time.time()
read = lambda name, t: np.fromfile(f"{raw}/{name}", dtype=t)
value, y = read("value", "<f8"), read("y", "<f8")
X = sp.csr_matrix((read("data", "<f8"), read("indices", "<i4"), read("indptr", "<i4")))
X = sp.hstack([X, value[:, None]], format="csr")
scale = np.sqrt(X.multiply(X).mean(0)).A1
X = (X @ sp.diags(1 / scale)).tocsr()
n, k = X.shape
print(f"{n} rows, {k} parameters, {X.nnz / n:.1f} non-zeros a row; reading and scaling {time.time() - begun:.1f} s")

def sigmoid(z): return 1 / (1 + np.exp(-z))
def mlm(t):
    z = X @ t
    return (np.logaddexp(0, z) - y * z).mean(), X.T @ (sigmoid(z) - y) / n
def ls(t):
    g = sigmoid(X @ t)
    return ((g - y) ** 2).mean(), X.T @ (2 * (g - y) * g * (1 - g)) / n

def kifu(dir):
    with open(f"{dir}/fit.json") as f: return json.load(f)

def line(who, what, seconds, objective, theta, ours):
    w = theta[:-1] / scale[:-1] / (theta[-1] / scale[-1])
    print(f"{what:4s} {who:22s} {seconds:8.2f} s  objective {objective:.12f}" + (f"  {seconds / ours:5.1f} times kifu's time" if ours else ""))
    return w

for what, f, dir, seconds in [("mlm", mlm, mlm_dir, float(mlm_s)), ("ls", ls, ls_dir, float(ls_s))]:
    k_fit = kifu(dir)
    s = k_fit["solver"]
    print(f"{what:4s} {'kifu':22s} {seconds:8.2f} s  objective {s['objective']:.12f}  with covariances and reading; gradient norm {s['gradient_norm']:.1e}, {s['passes']} passes, {s['bytes_per_row']} B a row")
    begun = time.time()
    r = so.minimize(f, np.zeros(k), jac=True, method="L-BFGS-B", options=dict(maxiter=1000, maxfun=2000, ftol=1e-15, gtol=1e-9))
    line("scipy L-BFGS-B", what, time.time() - begun, r.fun, r.x, seconds)
    if what == "mlm":
        begun = time.time()
        m = LogisticRegression(penalty=None, fit_intercept=False, tol=1e-8, max_iter=1000).fit(X, y)
        t = m.coef_[0]
        line("scikit-learn lbfgs", what, time.time() - begun, mlm(t)[0], t, seconds)
print(f"python's peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")
