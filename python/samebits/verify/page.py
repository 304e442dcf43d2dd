"""The report of `samebits verify`: one HTML page with everything inside, no link to anything else."""

from html import escape

from samebits._page import STYLE
from samebits.verify.outcome import STATES
from samebits.verify.parts import PARTS

_SHOWN = 60  # differences in full
_SIGNS = {"identical": "=", "divergent": "X", "refused": "R", "pending": "?"}
_OWN_STYLE = """
table.matrix td, table.matrix th { padding: .3rem .45rem; font-size: .8rem; }
table.matrix th.turn { writing-mode: vertical-rl; vertical-align: bottom; white-space: nowrap; }
.parts { display: grid; grid-template-columns: repeat(3, 1.1rem); gap: 2px; width: max-content; }
.parts span { text-align: center; border-radius: 2px; color: #fff;
  font: 700 .7rem/1.1rem ui-monospace, monospace; }
.identical { background: #18794e; } .divergent { background: #b42318; } .refused { background: #7c3aed; }
.pending { background: #9aa5b1; }
td.bits { font-family: ui-monospace, monospace; white-space: nowrap; }
td.bits b { background: #fde2e0; color: #b42318; }
"""

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>samebits verify</title><style>{style}</style></head><body><main>
<h1>{title}</h1>
<p>{intro}</p>
<div class="verdict {kind}">{verdict}</div>
{problems}
<h2>Differences</h2>
{differences}
<h2>Cells</h2>
<p>{legend}</p>
{matrices}
<h2>Inputs</h2>
<div class="scroll"><table>
<thead><tr><th>fixture</th><th>array</th><th>dtype and shape</th><th>SHA-256</th></tr></thead>
<tbody>{inputs}</tbody></table></div>
<footer>{footer}</footer>
</main></body></html>
"""


def page(outcome, library):
    """The whole page as a text; ``library``: of ``samebits.build_info()``."""
    device = outcome.device
    counts = ", ".join(f"{n} {state}" for state, n in outcome.counts.items())
    return _PAGE.format(
        style=STYLE + _OWN_STYLE,
        title="Same bits" if outcome.ok else "Not verified",
        intro=escape(
            f"{device['name']}, device {device['id']}, column {device['column']}, {device['code_object']}; "
            f"compared with {outcome.beside}."
        ),
        kind="good" if outcome.ok else "bad",
        verdict=escape(f"{counts}, in {outcome.seconds:.1f} s"),
        problems="".join(f'<div class="verdict bad">{escape(problem)}</div>' for problem in outcome.problems),
        differences="".join(_differences(outcome)) or "<p>None.</p>",
        legend=_legend(),
        matrices="".join(_matrices(outcome)),
        inputs="".join(_input_rows(outcome)),
        footer=escape(_footer(library)),
    )


def _legend():
    signs = ", ".join(f"{_SIGNS[state]} {state}" for state in STATES)
    return f"Each cell shows its parts in this order: {', '.join(PARTS)}. Signs: {signs}. Point at one for its reason."


def _matrices(outcome):
    cells = {}
    for verdict in outcome.verdicts:
        by_cell = cells.setdefault(verdict.estimator, {})
        by_cell.setdefault((verdict.setting, verdict.fixture), []).append(verdict)
    for estimator, by_cell in cells.items():
        settings = list(dict.fromkeys(setting for setting, _ in by_cell))
        fixtures = list(dict.fromkeys(fixture for _, fixture in by_cell))
        head = "".join(f'<th class="turn">{escape(fixture)}</th>' for fixture in fixtures)
        rows = "".join(
            f"<tr><th>{escape(setting)}</th>"
            + "".join(_cell(by_cell.get((setting, f), [])) for f in fixtures)
            + "</tr>"
            for setting in settings
        )
        yield (
            f'<h3>{escape(estimator)}</h3><div class="scroll"><table class="matrix"><thead><tr><th></th>{head}</tr>'
            f"</thead><tbody>{rows}</tbody></table></div>"
        )


def _cell(verdicts):
    marks = "".join(
        f'<span class="{v.state}" title="{escape(f"{v.part}: {v.state} {v.reason}".strip())}">{_SIGNS[v.state]}</span>'
        for v in verdicts
    )
    return f'<td><div class="parts">{marks}</div></td>'


def _differences(outcome):
    bad = [verdict for verdict in outcome.verdicts if verdict.state in ("divergent", "refused")]
    for verdict in bad[:_SHOWN]:
        yield f"<h3>{escape(verdict.state)}: {escape(verdict.cell)}, {escape(verdict.part)}</h3>"
        yield f"<p>{escape(verdict.reason)}</p>"
        if verdict.difference:
            yield _difference(verdict.difference, verdict.beside)
    if len(bad) > _SHOWN:
        yield f"<p>And {len(bad) - _SHOWN} more, shown as cells below.</p>"


def _difference(d, beside):
    text = f"First stage that differs: {d['index']} <code>{escape(d['tag'])}</code> ({escape(d['what'])}); "
    text += (
        f"last equal stage: <code>{escape(d['last_equal'])}</code>."
        if d["last_equal"]
        else "no stage is equal."
    )
    element = d.get("element")
    if not element:
        known = f" How many ulp: {escape(d['no_element'])}." if d.get("no_element") else ""
        return f"<p>{text}{known}</p><p><code>{escape(d['a'])}</code><br><code>{escape(d['b'])}</code></p>"
    text += f" {element['different']:,} of {element['count']:,} elements differ"
    rows = "".join(map(_element_row, element.get("elements", [element])))
    return (
        f'<p>{text}.</p><div class="scroll"><table><thead><tr><th>element</th><th>this run</th>'
        f"<th>{escape(beside)}</th><th>bits of this run</th><th>bits beside it</th><th>ulp</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _element_row(e):
    place = ", ".join(map(str, e["element"]))
    bits_a, bits_b = _marked(e["a_bits"], e["b_bits"]), _marked(e["b_bits"], e["a_bits"])
    ulp = "NaN" if e["ulp"] is None else f"{e['ulp']:,}"
    return (
        f'<tr><td>[{place}]</td><td>{escape(e["a"])}</td><td>{escape(e["b"])}</td><td class="bits">{bits_a}</td>'
        f'<td class="bits">{bits_b}</td><td class="n">{ulp}</td></tr>'
    )


def _marked(bits, other):
    """Hexadecimal digits, those that differ in bold."""
    return "".join(x if x == y else f"<b>{x}</b>" for x, y in zip(bits, other))


def _input_rows(outcome):
    for fixture, inputs in outcome.inputs.items():
        for record in inputs:
            kind = f"{record['dtype']}{record['shape']}"
            yield (
                f"<tr><td>{escape(fixture)}</td><td>{escape(record['name'])}</td><td>{escape(kind)}</td>"
                f'<td class="bits">{record["sha256"]}</td></tr>'
            )


def _footer(library):
    dirty = ", with uncommitted changes" if library["dirty"] else ""
    return f"samebits {library['version']}, commit {library['commit']}{dirty}, profile {library['profile']}."
