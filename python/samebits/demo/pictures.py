"""The four pictures of the report, as inline SVG texts."""

import io

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics import roc_curve

from samebits.exceptions import SamebitsError

OWN, PEER, GUIDE = "#0b6e99", "#d9822b", "#9aa5b1"
_STYLE = {
    "font.family": "DejaVu Sans",  # ships with matplotlib
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#52606d",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e7eb",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "svg.hashsalt": "samebits",  # ids of elements do not change from run to run
}


def need_matplotlib():
    """matplotlib, or an error that says how to get it or to go without."""
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError as error:
        raise SamebitsError(
            '[demo] the report needs matplotlib; run `pip install "samebits[demo]"` or use --no-report'
        ) from error
    return matplotlib


def draw(flights, own, peer):
    """{name: SVG text} of roc, calibration, importances and curve."""
    matplotlib = need_matplotlib()
    with matplotlib.rc_context(_STYLE):
        return {
            "roc": _picture(lambda axes: _roc(axes, flights.y_test, own, peer)),
            "calibration": _picture(lambda axes: _calibration(axes, flights.y_test, own, peer)),
            "importances": _picture(lambda axes: _importances(axes, flights.names, own)),
            "curve": _picture(lambda axes: _curve(axes, own, peer)),
        }


def _picture(paint):
    from matplotlib.figure import Figure  # not pyplot: no display, no global state

    figure = Figure(figsize=(5.4, 4.1), layout="constrained")
    paint(figure.subplots())
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    return svg[svg.index("<svg") :]


def _roc(axes, labels, own, peer):
    axes.plot([0, 1], [0, 1], color=GUIDE, lw=1, ls="--", label="chance")
    for name, scored, color, style in _both(own, peer):
        false_rate, true_rate, _ = roc_curve(labels, scored.probability)
        step = max(1, len(false_rate) // 400)  # as many points as the eye can tell apart
        axes.plot(
            false_rate[::step],
            true_rate[::step],
            style,
            color=color,
            lw=1.8,
            label=f"{name}, AUC {scored.auc:.4f}",
        )
    axes.set(
        title="ROC, November and December", xlabel="on-time flights called late", ylabel="late flights found"
    )
    axes.legend(loc="lower right")


def _calibration(axes, labels, own, peer):
    top = 0.0
    for name, scored, color, style in _both(own, peer):
        found, said = calibration_curve(labels, scored.probability, n_bins=10, strategy="quantile")
        top = max(top, found.max(), said.max())
        axes.plot(said, found, style, marker="o", ms=4, color=color, lw=1.5, label=name)
    axes.plot([0, top], [0, top], color=GUIDE, lw=1, ls="--", label="perfect")
    axes.set(
        title="Calibration",
        xlabel="predicted probability (tenths of the flights)",
        ylabel="share that was late",
    )
    axes.legend(loc="upper left")


def _importances(axes, names, own):
    importances = own.model.feature_importances_
    order = np.argsort(importances, kind="stable")
    axes.barh([names[k].replace("_", " ") for k in order], importances[order], color=OWN, height=0.7)
    axes.grid(axis="y", visible=False)
    axes.set(title="Importances", xlabel="share of the total gain")


def _curve(axes, own, peer):
    for name, scored, color, style in _both(own, peer):
        trees = np.arange(1, len(scored.curve) + 1)
        axes.plot(
            trees, scored.curve_train, style, color=color, lw=1, alpha=0.55, label=f"{name}, training months"
        )
        axes.plot(trees, scored.curve, style, color=color, lw=1.8, label=f"{name}, test months")
    axes.set(title="Training curve", xlabel="trees", ylabel="log-loss")
    axes.legend(loc="best", fontsize=8)


def _both(own, peer):
    # The peer is dashed and drawn last: where both agree, both stay visible.
    return (("samebits", own, OWN, "-"), ("scikit-learn", peer, PEER, "--"))
