"""The algorithms of ALGORITHMS.md by the library: (parameters, inputs, device) -> outputs."""

import numpy as np

from samebits import _core, primitives
from samebits._trace import stage_array
from samebits.exceptions import BundleError, SamebitsError


def compute(item, device):
    """Outputs of an item as the device computes them: dict of name to array.

    Parameters
    ----------
    item : Item
    device : samebits._core.Device

    Raises
    ------
    BundleError
        The algorithm is not known here, or the item lacks what the algorithm needs.
    """
    function = ALGORITHMS.get(item.algorithm)
    if function is None:
        raise BundleError(
            f"[conformance] item {item.name!r} needs the algorithm {item.algorithm!r}, this version knows "
            f"{', '.join(ALGORITHMS)}; update samebits if the bundle is newer"
        )
    try:
        return function(item.parameters, item.inputs, device)
    except SamebitsError:
        raise
    except (
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        ValueError,
        OverflowError,
        RuntimeError,
    ) as error:
        raise BundleError(
            f"[conformance] item {item.name!r} does not have what {item.algorithm!r} needs: {error!r}"
        ) from error


def _native(array):
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _reduce_sum(parameters, inputs, device):
    x, y = _native(inputs["x"]), _native(inputs["y"])
    sums, products = [], []
    for start, length in zip(inputs["start"].tolist(), inputs["length"].tolist()):
        part = slice(start, start + length)
        if start + length > len(x) or len(x) != len(y):
            raise IndexError(f"the part {start} + {length} of {len(x)} and {len(y)} values")
        sums.append(_core.reduce_sum(device, np.ascontiguousarray(x[part]), None))
        products.append(
            _core.reduce_sum(device, np.ascontiguousarray(x[part]), np.ascontiguousarray(y[part]))
        )
    return {"sum": np.array(sums), "sum_of_products": np.array(products)}


def _histogram_build(parameters, inputs, device):
    arrays = {name: _native(array) for name, array in inputs.items()}
    gradient, hessian, count = _core.histogram_build(
        device,
        arrays["codes"],
        arrays["gradients"],
        arrays["cell_offset"],
        arrays["active"],
        arrays["rows"],
        arrays["begin"],
        arrays["end"],
    )
    return {"gradient": gradient, "hessian": hessian, "count": count}


def _philox(parameters, inputs, device):
    draws = zip(*(inputs[name].tolist() for name in ("seed", "purpose", "element", "draw")))
    words = [
        primitives.philox_words(seed, purpose, np.array([element], np.uint64), draw)[0]
        for seed, purpose, element, draw in draws
    ]
    words = np.stack(words)
    long_words = words[:, 0].astype(np.uint64) | words[:, 1].astype(np.uint64) << np.uint64(32)
    return {
        "words": words,
        "uniform_f32": primitives.uniform_f32(words[:, 0]),
        "uniform_f64": primitives.uniform_f64(long_words),
        "below": primitives.below(long_words, inputs["bound"]),
    }


def _row_sample(parameters, inputs, device):
    names = ("seed", "purpose", "draw", "threshold", "n")
    samples = [
        _core.row_sample(device, *values) for values in zip(*(inputs[name].tolist() for name in names))
    ]
    kept = np.array([len(rows) for rows in samples], np.uint64)
    return {"kept": kept, "rows": np.concatenate([*samples, np.empty(0, np.uint32)])}


def _elementary(parameters, inputs, device):
    x, function = _native(inputs["x"]), parameters["function"]
    maps = {"f4": _core.elementary_map_f32, "f8": _core.elementary_map_f64}
    return {"y": maps[x.dtype.str[1:]](device, function, x)}


def _gradient_boosting(parameters, inputs, device):
    stages = _core.Trace(True)
    weight = _native(inputs["weight"]) if "weight" in inputs else None
    result = _core.boosting_fit(
        device, _native(inputs["X"]), _native(inputs["y"]), weight, [], parameters, stages, None
    )
    outputs = {f"stages/{stage['tag']}": stage_array(stage) for stage in stages.stages()}
    model = result["model"]
    for name, value in model.to_dict().items():
        if isinstance(value, np.ndarray):
            outputs[f"model/{name}"] = value
    test = _native(inputs["X_test"])
    outputs["raw_predictions"] = _core.boosting_predict_raw(device, model, test, model.n_trees)
    outputs["leaf_numbers"] = _core.boosting_apply(device, model, test, model.n_trees)
    return outputs


# Algorithm -> function, in the order of ALGORITHMS.md.
ALGORITHMS = {
    "reduce_sum": _reduce_sum,
    "histogram_build": _histogram_build,
    "philox": _philox,
    "row_sample": _row_sample,
    "elementary": _elementary,
    "gradient_boosting": _gradient_boosting,
}
