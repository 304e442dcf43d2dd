"""The look of the HTML pages that samebits writes."""

STYLE = """
:root { --ink: #1f2933; --soft: #52606d; --line: #e4e7eb; --own: #0b6e99; --good: #18794e; --bad: #b42318; }
* { box-sizing: border-box; }
body { margin: 0; background: #f5f7fa; color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .7rem; }
p { max-width: 70ch; margin: .4rem 0; color: var(--soft); }
.verdict { margin: 1.4rem 0; padding: .9rem 1.1rem; border-left: 5px solid; border-radius: 4px;
  background: #fff; font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--soft); }
.scroll { overflow-x: auto; background: #fff; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .5rem .9rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; } th { font-size: .85rem; color: var(--soft); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font-size: .88em; } footer { margin-top: 2.5rem; font-size: .85rem; color: var(--soft); }
"""
