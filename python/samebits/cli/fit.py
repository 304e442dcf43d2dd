"""`samebits fit`: a table in, a model file and an identity card out."""

import argparse
import contextlib
import hashlib
import os
import time
from pathlib import Path

TASKS = {"classification": "GradientBoostingClassifier", "regression": "GradientBoostingRegressor"}
_OWN_OPTIONS = {"device": "--device", "n_threads": "--threads"}

_DESCRIPTION = """\
Fits gradient boosting to a table and writes the model (a safetensors file) and, on request, its identity card. Every
column besides target and weight is a feature; an empty cell is a missing value and takes part as such.

DATA is CSV (.csv, .tsv, also compressed), Parquet (.parquet, .pq) or a NumPy matrix (.npy). Columns of a .npy matrix
are named by their number, from 0. The same file, parameters and version give the same bytes in the model file.
"""

_EPILOG = """\
examples:
  samebits fit train.csv --target late --task classification --model late.safetensors --card late.json
  samebits fit X.npy --target-file y.npy --task regression --param n_estimators=300 --model m.safetensors
  samebits fit train.csv --target price --task regression --model m.safetensors \\
      --eval valid.csv --param n_estimators=1000 --param early_stopping_rounds=20

The parameters of --param are those of samebits.ensemble.GradientBoostingClassifier and ...Regressor: n_estimators,
learning_rate, max_leaf_nodes, max_depth, min_samples_leaf, subsample, random_state, ... A wrong name lists them all.
"""


def add_to(verbs):
    parser = verbs.add_parser(
        "fit",
        help="fit a model to CSV, Parquet or .npy data",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("data", metavar="DATA")
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("--target", metavar="COLUMN", help="the column to predict")
    target.add_argument("--target-file", metavar="Y.npy", help="the values to predict, one a row of DATA")
    add(
        "--task",
        required=True,
        choices=sorted(TASKS),
        help="classification takes two classes, numbers or texts",
    )
    add("--weight", metavar="COLUMN", help="the column with the rows' weights")
    add(
        "--param",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a parameter of the estimator; repeat for more",
    )
    add(
        "--encode",
        choices=["ordinal"],
        help="number the texts of a column in sorted order; without it text columns are refused",
    )
    add(
        "--eval",
        metavar="DATA",
        help="a table with the same columns; its loss is reported and steers early stopping",
    )
    add("--eval-target-file", metavar="Y.npy", help="the target values of --eval, with --target-file")
    add("--model", metavar="FILE", help="write the model here, as safetensors")
    add(
        "--card",
        metavar="FILE",
        help="write the identity card here, as JSON (the fit takes longer: it hashes every stage)",
    )
    add(
        "--device",
        metavar="NAME",
        help="auto, cpu, cuda, cuda:1, ...: used or refused, never replaced (default: auto)",
    )
    add(
        "--threads",
        metavar="N",
        type=int,
        help="threads of the cpu device (default: all); does not change the result",
    )
    parser.set_defaults(run=run)


def run(arguments):
    from samebits import ensemble
    from samebits.cli import params, tables
    from samebits.exceptions import InvalidInputError

    _check_outputs(arguments)
    inputs = [arguments.data, arguments.target_file, arguments.eval, arguments.eval_target_file]
    tables.check_distinct("fit", inputs, [arguments.model, arguments.card])
    estimator_class = getattr(ensemble, TASKS[arguments.task])
    given = params.parse(arguments.param, estimator_class, _OWN_OPTIONS)
    if given.get("warm_start"):
        raise InvalidInputError(
            "[fit] --param warm_start: the command fits a new model, there are no trees to go on from"
        )
    estimator = estimator_class(**given, device=arguments.device, n_threads=arguments.threads)
    recipe, train, evals = _load(arguments)
    log, seconds = _fit(estimator, train, evals, arguments.card is not None)
    rows, features = train[0].shape
    print(
        f"fit: {rows:,} rows x {features} features, {estimator.n_iter_} trees in {seconds:.2f} s "
        f"on {estimator.device_used_}"
    )
    _say_losses(estimator)
    if arguments.card:
        log.save(arguments.card)
        print(f"card: {arguments.card}, {len(log.card()['stages'])} stages")
    if arguments.model:
        about = {"task": arguments.task, "target": arguments.target, **recipe.to_metadata()}
        estimator.save(arguments.model, metadata={"samebits fit": about})
        print(
            f"model: {arguments.model}, sha256 {hashlib.sha256(Path(arguments.model).read_bytes()).hexdigest()}"
        )
    return 0


def _check_outputs(arguments):
    """What would fail after a long fit is refused before it."""
    from samebits.exceptions import InvalidInputError

    if not (arguments.model or arguments.card):
        raise InvalidInputError("[fit] nothing to write: give --model FILE, --card FILE or both")
    if arguments.eval_target_file and not arguments.eval:
        raise InvalidInputError("[fit] --eval-target-file needs --eval")
    if arguments.eval and bool(arguments.target_file) != bool(arguments.eval_target_file):
        raise InvalidInputError(
            "[fit] with --eval give --eval-target-file when, and only when, --target-file is given"
        )
    for file in filter(None, (arguments.model, arguments.card)):
        folder = os.path.dirname(os.path.abspath(file))
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
            raise InvalidInputError(
                f"[fit] cannot write {file!r}: its folder does not exist or is not writable"
            )


def _load(arguments):
    """(recipe, (X, y, weight), eval_set)"""
    from samebits.cli import tables
    from samebits.cli.features import Recipe

    table = tables.read(arguments.data)
    leave_out = [name for name in (arguments.target, arguments.weight) if name is not None]
    for name, role in ((arguments.target, "target"), (arguments.weight, "weight")):
        if name is not None:
            table.column(name, role)
    recipe = Recipe.learn(table, leave_out, arguments.encode)
    train = _part(arguments, table, recipe, arguments.target_file)
    if not arguments.eval:
        return recipe, train, None
    table = tables.read(arguments.eval, text_columns=recipe.codes)
    return recipe, train, [_part(arguments, table, recipe, arguments.eval_target_file)]


def _part(arguments, table, recipe, target_file):
    from samebits.cli import features, tables
    from samebits.exceptions import InvalidInputError

    if target_file:
        name, column, source = "values", tables.read_vector(target_file, "target"), target_file
        if len(column) != len(table):
            raise InvalidInputError(
                f"[fit] {target_file!r} has {len(column)} values, {table.path!r} has {len(table)} rows, need as many"
            )
    else:
        name, column, source = arguments.target, table.column(arguments.target, "target"), table.path
    y = features.labels(column, name, source, arguments.task)
    weight = None
    if arguments.weight is not None:
        weight = features.numbers(table.column(arguments.weight, "weight"), arguments.weight, table.path)
    return recipe.build(table), y, weight


def _fit(estimator, train, evals, traced):
    import samebits

    X, y, weight = train
    start = time.perf_counter()
    with samebits.trace() if traced else contextlib.nullcontext() as log:
        estimator.fit(X, y, sample_weight=weight, eval_set=evals)
    return log, time.perf_counter() - start


def _say_losses(estimator):
    for losses in estimator.evals_result_.values():
        for name, values in losses.items():
            used = estimator.best_iteration_  # 0 when no tree was better than none
            loss = f"{values[used - 1]:.6f}" if used else "not better"
            print(f"eval: {name} {loss} with {used} of {estimator.n_iter_} trees")
