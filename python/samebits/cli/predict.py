"""`samebits predict`: a model file and a table in, predictions out."""

import argparse
import io
import os

_DESCRIPTION = """\
Predicts every row of DATA (CSV, Parquet or .npy) with a model file of `samebits fit` or of an estimator's save().
Columns are taken by name as in training, text columns coded as in training (an unseen text counts as missing);
further columns are ignored. A row's prediction does not depend on the other rows.

A .csv output has the column "prediction", or one column "probability_CLASS" a class with --proba. Numbers are written
so that reading them gives the same bits.
"""


def add_to(verbs):
    parser = verbs.add_parser(
        "predict",
        help="predict with a model file",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("model", metavar="MODEL")
    add("data", metavar="DATA")
    add("--out", metavar="FILE", required=True, help="where to write: .csv or .npy")
    add(
        "--proba",
        action="store_true",
        help="probabilities of both classes instead of the class (classification only)",
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
    import samebits
    from samebits._io import write_atomic
    from samebits.cli import tables
    from samebits.exceptions import InvalidInputError

    tables.check_distinct("predict", [arguments.model, arguments.data], [arguments.out])
    kind = os.path.splitext(arguments.out)[1].lower()
    if kind not in (".csv", ".npy"):
        raise InvalidInputError(
            f"[predict] --out got {arguments.out!r}, need a name that ends in .csv or .npy"
        )
    model = samebits.load_model(arguments.model)
    if arguments.proba and not hasattr(model, "predict_proba"):
        raise InvalidInputError(
            f"[predict] --proba needs a classifier, {arguments.model!r} is a {type(model).__name__}"
        )
    model.set_params(device=arguments.device, n_threads=arguments.threads)
    X = _features(model, arguments.model, arguments.data)
    values = model.predict_proba(X) if arguments.proba else model.predict(X)
    write_atomic(arguments.out, _npy(values) if kind == ".npy" else _csv(values, model))
    print(f"predict: {len(values):,} rows with {model.best_iteration_} trees, written to {arguments.out}")
    return 0


def _features(model, model_path, data_path):
    from samebits.cli import tables
    from samebits.cli.features import Recipe

    if isinstance(model.user_metadata_, dict) and "samebits fit" in model.user_metadata_:
        recipe = Recipe.from_metadata(model.user_metadata_["samebits fit"], model_path)
    else:
        names = getattr(model, "feature_names_in_", None)
        recipe = Recipe(None if names is None else list(names), {}, [])
    return recipe.build(tables.read(data_path, text_columns=recipe.codes), model.n_features_in_)


def _npy(values):
    import numpy as np

    if (
        values.dtype == object
    ):  # labels that are texts; a .npy file without pickle holds them as fixed-width texts
        values = values.astype(str)
    data = io.BytesIO()
    np.save(data, values, allow_pickle=False)
    return data.getvalue()


def _csv(values, model):
    import csv

    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    if values.ndim == 2:
        writer.writerow([f"probability_{label}" for label in model.classes_.tolist()])
        writer.writerows(values.tolist())
    else:
        writer.writerow(["prediction"])
        writer.writerows([value] for value in values.tolist())
    return text.getvalue().encode("utf-8")
