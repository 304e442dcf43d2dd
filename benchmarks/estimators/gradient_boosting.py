"""Gradient boosting, whole fit including binning: samebits beside other libraries at equal settings.

    python benchmarks/estimators/gradient_boosting.py --quick
    ... --peers sklearn,lightgbm,xgboost,catboost --install-peers --json out.json
    ... --device cuda --rows 10000000 --grow-policy symmetric --depth 8

Data: rows x features float32 like the HIGGS set (see make_data), binary target, made from a fixed seed. Every
library gets the same arrays. Each measured fit is a fresh process that has imported its library, loaded the
arrays and fitted a model on 2,000 rows once (start-up of threads or of a GPU is not what is measured). Time
is that of fit() alone; memory is the peak during fit() above what was resident before it. First, quality: AUC
and log-loss on held-out rows must be within 0.002 of scikit-learn, or of the best peer when that is not among
them, else no time is shown and the exit code is 1. (Symmetric trees say less per tree than free ones of the
same depth: their bar is catboost's, or 0.01.) Without peers the bar is scikit-learn on at most 200,000 of the
rows.

Equal settings: n_estimators trees, learning rate 0.1, 63 leaves, at least 20 rows a leaf, no L2, 255 bins, no
early stopping, no sampling. Where a library has no such parameter the nearest one is used; see the functions
below.
"""

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import common

TOLERANCE = 0.002
SYMMETRIC_TOLERANCE = 0.01
SEED = 20130101
PACKAGES = {
    "samebits": "samebits",
    "sklearn": "scikit-learn",
    "lightgbm": "lightgbm",
    "xgboost": "xgboost",
    "catboost": "catboost",
}
PEERS = [name for name in PACKAGES if name != "samebits"]


# ------------------------------------------------------------------------------------------------------------
# ---- data


def make_data(rows, features, seed):
    """Standard normal features; of the later ones every fourth is heavy-tailed, every seventh has few distinct values.

    log-odds = x0 + x0 x1 + sin(2 x2) + 0.8 |x3| x4 + 0.9 [x5 > 0.5] x6 - 0.4 x7^2 + 0.3 x8 + 0.5 max(x9, x0)
    + 0.4 noise; y = 1 with probability logistic(log-odds). The noise is normal and not among the features.
    """
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, features), dtype=np.float32)
    logit = x[:, 0] + x[:, 0] * x[:, 1] + np.sin(2 * x[:, 2]) + 0.8 * np.abs(x[:, 3]) * x[:, 4]
    logit += (
        0.9 * (x[:, 5] > 0.5) * x[:, 6]
        - 0.4 * x[:, 7] ** 2
        + 0.3 * x[:, 8]
        + 0.5 * np.maximum(x[:, 9], x[:, 0])
    )
    logit += 0.4 * rng.standard_normal(rows, dtype=np.float32)
    y = (rng.random(rows, dtype=np.float32) < 1 / (1 + np.exp(-logit))).astype(np.float64)
    for k in range(10, features):
        if k % 4 == 0:
            np.exp(x[:, k], out=x[:, k])
        elif k % 7 == 0:
            np.round(x[:, k] * 2, out=x[:, k])
    return x, y


def save_data(folder, options):
    for name, rows, seed in (("train", options.rows, SEED), ("test", min(options.rows, 200_000), SEED + 1)):
        x, y = make_data(rows, options.features, seed)
        np.save(folder / f"{name}_x.npy", x)
        np.save(folder / f"{name}_y.npy", y)


# -----------------------------------------------------------------------------------------------------------
# libraries Each returns an unfitted classifier for the settings s (the command line's options as a
# dictionary).


def samebits_model(s):
    from samebits.ensemble import GradientBoostingClassifier

    return GradientBoostingClassifier(
        n_estimators=s["trees"],
        learning_rate=s["learning_rate"],
        max_leaf_nodes=s["leaves"],
        max_depth=s["depth"],
        grow_policy=s["grow_policy"],
        min_samples_leaf=20,
        l2_regularization=0.0,
        max_bins=255,
        n_threads=s["threads"],
        device=s["device"],
    )


def sklearn_model(s):
    """Grows best first; grow_policy does not exist, so depth and leaves alone limit the tree."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=s["trees"],
        learning_rate=s["learning_rate"],
        max_leaf_nodes=s["leaves"],
        max_depth=s["depth"],
        min_samples_leaf=20,
        l2_regularization=0.0,
        max_bins=255,
        early_stopping=False,
    )


def lightgbm_model(s):
    """Grows best first; row-wise or column-wise histograms are left to its own choice."""
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=s["trees"],
        learning_rate=s["learning_rate"],
        num_leaves=s["leaves"] or 2 ** s["depth"],
        max_depth=s["depth"] or -1,
        min_child_samples=20,
        reg_lambda=0.0,
        max_bin=255,
        n_jobs=s["threads"],
        verbosity=-1,
    )


def xgboost_model(s):
    """No limit on rows per leaf; min_child_weight (sum of hessians) 1e-3 as elsewhere; symmetric is depthwise."""
    from xgboost import XGBClassifier

    return XGBClassifier(
        n_estimators=s["trees"],
        learning_rate=s["learning_rate"],
        tree_method="hist",
        grow_policy="lossguide" if s["grow_policy"] == "lossguide" else "depthwise",
        max_leaves=s["leaves"] or 0,
        max_depth=s["depth"] or 0,
        min_child_weight=1e-3,
        reg_lambda=0.0,
        max_bin=255,
        n_jobs=s["threads"],
    )


def catboost_model(s):
    """254 borders are 255 bins; random score noise and bootstrap off, one gradient step per leaf."""
    from catboost import CatBoostClassifier

    shape = {"lossguide": "Lossguide", "depthwise": "Depthwise", "symmetric": "SymmetricTree"}[
        s["grow_policy"]
    ]
    limits = {"depth": s["depth"] or 16}
    if shape == "Lossguide":
        limits["max_leaves"] = s["leaves"] or 2 ** s["depth"]
    if shape != "SymmetricTree":
        limits["min_data_in_leaf"] = 20
    return CatBoostClassifier(
        iterations=s["trees"],
        learning_rate=s["learning_rate"],
        grow_policy=shape,
        l2_leaf_reg=0.0,
        border_count=254,
        bootstrap_type="No",
        random_strength=0.0,
        boosting_type="Plain",
        leaf_estimation_iterations=1,
        thread_count=s["threads"],
        allow_writing_files=False,
        verbose=False,
        **limits,
    )


MODELS = {
    "samebits": samebits_model,
    "sklearn": sklearn_model,
    "lightgbm": lightgbm_model,
    "xgboost": xgboost_model,
    "catboost": catboost_model,
}


# --------------------------------------------------------------------------------------------------- one
# measured fit


def worker(job):
    from sklearn.metrics import log_loss, roc_auc_score
    from threadpoolctl import threadpool_limits

    settings, folder = job["settings"], Path(job["folder"])
    x, y = np.load(folder / "train_x.npy"), np.load(folder / "train_y.npy")
    limit = job.get("row_limit") or len(x)
    x, y = x[:limit], y[:limit]
    make = MODELS[job["library"]]
    with threadpool_limits(settings["threads"]):
        make(settings | {"trees": 2}).fit(x[:2000], y[:2000])
        model = make(settings)
        _, seconds, added, peak = common.measure(lambda: model.fit(x, y))
        probability = model.predict_proba(np.load(folder / "test_x.npy"))[:, 1]
    truth = np.load(folder / "test_y.npy")
    common.send_result(
        {
            "seconds": seconds,
            "memory_mib": added / 2**20,
            "process_mib": peak / 2**20,
            "auc": float(roc_auc_score(truth, probability)),
            "logloss": float(log_loss(truth, probability)),
            "device": getattr(model, "device_used_", "cpu"),
        }
    )


# ------------------------------------------------------------------------------------------------------------
# - parent


def quality_failures(ours, others, grow_policy):
    """Sentences; empty when AUC and log-loss of ours are within the tolerance of the bar."""
    tolerance = TOLERANCE
    if grow_policy == "symmetric":
        tolerance = TOLERANCE if "catboost" in others else SYMMETRIC_TOLERANCE
    chosen = "catboost" if grow_policy == "symmetric" and "catboost" in others else "sklearn"
    bar = [others[chosen]] if chosen in others else list(others.values())
    auc, loss = max(r["auc"] for r in bar), min(r["logloss"] for r in bar)
    found = []
    if not ours["auc"] >= auc - tolerance:
        found.append(f"AUC {ours['auc']:.5f} is more than {tolerance} below {auc:.5f}")
    if not ours["logloss"] <= loss + tolerance:
        found.append(f"log-loss {ours['logloss']:.5f} is more than {tolerance} above {loss:.5f}")
    return found


def show(names, results):
    ours = results.get("samebits")
    rows = []
    for name in names:
        runs = results[name]
        seconds, memory = (
            common.median([r["seconds"] for r in runs]),
            common.median([r["memory_mib"] for r in runs]),
        )
        ratios = ["", ""]
        if ours and name != "samebits":
            ratios = [
                f"{common.median([r['seconds'] for r in ours]) / seconds:.2f}",
                f"{common.median([r['memory_mib'] for r in ours]) / memory:.2f}" if memory else "",
            ]
        spread = f"{min(r['seconds'] for r in runs):.2f}-{max(r['seconds'] for r in runs):.2f}"
        quality = [f"{runs[0]['auc']:.5f}", f"{runs[0]['logloss']:.5f}"]
        rows.append(
            [
                name,
                common.version(PACKAGES[name]),
                *quality,
                f"{seconds:.2f}",
                spread,
                ratios[0],
                f"{memory:.0f}",
                ratios[1],
            ]
        )
    common.print_table(
        ["library", "version", "AUC", "log-loss", "fit s", "min-max", "ours/it", "MiB", "ours/it"], rows
    )


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, help="default 1,000,000; 100,000 with --quick")
    parser.add_argument("--features", type=int, default=28, help="at least 10")
    parser.add_argument("--trees", type=int, help="default 100; 20 with --quick")
    parser.add_argument("--leaves", type=int, help="default 63, or no limit when --depth is given")
    parser.add_argument("--depth", type=int, help="default no limit")
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--grow-policy", default="lossguide", choices=["lossguide", "depthwise", "symmetric"])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--device", default="cpu", help="of samebits: cpu, cuda, cuda:1; peers run on the CPU"
    )
    parser.add_argument(
        "--peers", help=f"comma-separated, of {', '.join(PEERS)}; 'none'; default sklearn, none on a GPU"
    )
    parser.add_argument("--install-peers", action="store_true", help="pip install those that are missing")
    parser.add_argument("--repeats", type=int, help="measured rounds; default 3; 1 with --quick")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", metavar="FILE", help="write every figure")
    parser.add_argument("--without-samebits", action="store_true", help="measure the peers alone")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.rows = options.rows or (100_000 if options.quick else 1_000_000)
    options.trees = options.trees or (20 if options.quick else 100)
    options.repeats = options.repeats or (1 if options.quick else 3)
    options.leaves = options.leaves or (None if options.depth else 63)
    if options.grow_policy == "symmetric" and not options.depth:
        options.depth, options.leaves = math.ceil(math.log2(options.leaves)), None
    peers = options.peers or ("sklearn" if options.device == "cpu" else "none")
    options.peers = [] if peers == "none" else [name.strip() for name in peers.split(",")]
    unknown = sorted(set(options.peers) - set(PEERS))
    if unknown or options.features < 10:
        parser.error(
            f"unknown peers {unknown}, known: {', '.join(PEERS)}"
            if unknown
            else "--features must be at least 10"
        )
    return options


def run(options, folder):
    """(results, quality failures)"""
    settings = {
        k: v
        for k, v in vars(options).items()
        if k not in ("json", "worker", "peers", "install_peers", "quick")
    }
    save_data(folder, options)

    def one(name, row_limit=None):
        job = {"library": name, "settings": settings, "folder": str(folder), "row_limit": row_limit}
        return common.run_fresh(__file__, job, options.threads)

    names = ([] if options.without_samebits else ["samebits"]) + options.peers
    results = common.alternate(names, 1, one)
    failures = []
    if "samebits" in names:
        bar = {name: results[name][0] for name in options.peers} or {
            "sklearn": one("sklearn", min(options.rows, 200_000))
        }
        failures = quality_failures(results["samebits"][0], bar, options.grow_policy)
    if not failures and options.repeats > 1:
        for name, more in common.alternate(names, options.repeats - 1, one).items():
            results[name] += more
    return results, failures


def main(arguments=None):
    options = parse(arguments)
    if options.worker:
        return worker(json.loads(options.worker))
    if options.install_peers:
        common.install_missing([PACKAGES[name] for name in options.peers])
    machine = common.machine_info()
    print(f"{machine['processor']}, {machine['cores']} cores; {', '.join(machine['gpus']) or 'no GPU'}")
    shape = (
        f"{options.leaves or 'any number of'} leaves, depth {options.depth or 'any'}, {options.grow_policy}"
    )
    print(
        f"{options.rows:,} x {options.features} float32, {options.trees} trees, {shape}, "
        f"{options.threads} threads, {options.device}"
    )
    with tempfile.TemporaryDirectory(prefix="samebits-bench-") as folder:
        try:
            results, failures = run(options, Path(folder))
        except RuntimeError as error:
            print(error)
            return 2
    if options.json:
        report = {
            "machine": machine,
            "settings": {k: v for k, v in vars(options).items() if k not in ("json", "worker")},
            "results": results,
            "quality_failures": failures,
        }
        report["versions"] = {name: common.version(PACKAGES[name]) for name in results}
        common.write_json(options.json, report)
    if failures:
        print("quality: FAILED, no times are shown; " + "; ".join(failures))
        return 1
    if not options.without_samebits:
        print("quality: ok")
    show(list(results), results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
