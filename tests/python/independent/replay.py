"""Computes the items of a bundle and writes the outputs.

    python replay.py BUNDLE RESULTS [ITEM...]

BUNDLE is the folder of a bundle, RESULTS a folder that will hold ITEM/NAME.bin. Without ITEM all are computed. The
outputs are not compared here.
"""

import sys

import numpy as np
from arrays import Bundle, write_results
from boosting import Fit
from elementary import F32_FUNCTIONS, F64_FUNCTIONS
from exact import block, histogram, sum64, word


def reduce_sum(parameters, inputs):
    parts = [slice(int(s), int(s + n)) for s, n in zip(inputs["start"], inputs["length"])]
    x, y = inputs["x"], inputs["y"]
    return {
        "sum": np.array([sum64(x[part]) for part in parts]),
        "sum_of_products": np.array([sum64(x[part] * y[part]) for part in parts]),
    }


def histogram_build(parameters, inputs):
    nodes = [
        histogram(
            inputs["codes"], inputs["gradients"], inputs["cell_offset"], inputs["active"], inputs["rows"][b:e]
        )
        for b, e in zip(inputs["begin"].tolist(), inputs["end"].tolist())
    ]
    whole = np.stack(nodes)
    return {"gradient": whole[:, 0], "hessian": whole[:, 1], "count": whole[:, 2].astype(np.uint32)}


def philox(parameters, inputs):
    words = block(inputs["seed"], inputs["purpose"], inputs["element"], inputs["draw"])
    longs = [int(c1) << 32 | int(c0) for c0, c1 in words[:, :2]]
    return {
        "words": words,
        "uniform_f32": np.array([(int(c0) >> 8) * 2.0**-24 for c0 in words[:, 0]]).astype(np.float32),
        "uniform_f64": np.array([(w >> 11) * 2.0**-53 for w in longs]),
        "below": np.array([w * int(n) >> 64 for w, n in zip(longs, inputs["bound"])], np.uint32),
    }


def row_sample(parameters, inputs):
    samples = []
    for k in range(len(inputs["n"])):
        elements = range(int(inputs["n"][k]))
        drawn = word(int(inputs["seed"][k]), int(inputs["purpose"][k]), elements, int(inputs["draw"][k]))
        samples.append([i for i, w in enumerate(drawn.tolist()) if w < int(inputs["threshold"][k])])
    rows = [i for kept in samples for i in kept]
    return {"kept": np.array([len(kept) for kept in samples], np.uint64), "rows": np.array(rows, np.uint32)}


def elementary(parameters, inputs):
    functions = F32_FUNCTIONS if inputs["x"].dtype == np.float32 else F64_FUNCTIONS
    return {"y": functions[parameters["function"]](inputs["x"])}


def gradient_boosting(parameters, inputs):
    return Fit(parameters, inputs).out


ALGORITHMS = {
    "reduce_sum": reduce_sum,
    "histogram_build": histogram_build,
    "philox": philox,
    "row_sample": row_sample,
    "elementary": elementary,
    "gradient_boosting": gradient_boosting,
}


def main(bundle_folder, results_folder, *names):
    bundle = Bundle(bundle_folder)
    with np.errstate(all="ignore"):
        for item in bundle.items():
            if names and item["item"] not in names:
                continue
            outputs = ALGORITHMS[item["algorithm"]](item["parameters"], bundle.inputs(item))
            write_results(results_folder, item, outputs)
            print(f"{item['item']}: {len(item['outputs'])} output(s) written")


if __name__ == "__main__":
    main(*sys.argv[1:])
