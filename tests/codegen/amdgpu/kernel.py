"""One kernel under the rules: its values followed over all paths, and what was found."""

from collections import Counter

import rules

_COUNTED = ("fused", "pk_fused", "root", "refined", "division")


def read(blocks):
    """(counts, findings) of a kernel. counts: fused multiply-adds that no sequence explains, roots, their refinements,
    divisions and maxima with zero; findings: what is not allowed, as texts with the instruction."""
    entry = _settle(blocks)
    counts, findings = Counter(), []
    for block, kinds in zip(blocks, entry):
        flow = rules.Flow(kinds)
        for instruction in block.instructions:

            def report(text, instruction=instruction):
                if text in _COUNTED:
                    counts[text] += 1
                else:
                    findings.append(f"{text}: {instruction.text}")

            for half in filter(None, (instruction, instruction.other)):
                reason = rules.forbidden(half)
                if reason:
                    findings.append(f"{reason}: {half.text}")
                extreme = rules.extremes(half, [flow.kind(source) for source in half.sources])
                if extreme == "zero":
                    counts["maximum_with_zero"] += 1
                elif extreme:
                    findings.append(f"a minimum or maximum that is no a < b ? a : b: {half.text}")
            flow.step(instruction, report)
    # Both candidates of a root are tried (f32); five steps at least refine one in f64.
    if counts["refined"] < 2 * counts["root"]:
        findings.append(
            f"a bare square root: {counts['root']} roots, {counts['refined']} steps that refine them"
        )
    return counts, findings


def _settle(blocks):
    """The kinds at the entry of every block: a fixed point over the paths. None: no path reaches it."""
    entry = [None] * len(blocks)
    entry[0] = {}
    waiting = [0]
    while waiting:
        index = waiting.pop()
        flow = rules.Flow(entry[index])
        for instruction in blocks[index].instructions:
            flow.step(instruction, lambda text: None)
        for successor in blocks[index].successors:
            known = entry[successor]
            if known is None:
                merged = dict(flow.kinds)
            else:
                merged = {
                    register: kind for register, kind in known.items() if flow.kinds.get(register) == kind
                }
            if merged != known:
                entry[successor] = merged
                waiting.append(successor)
    return [kinds or {} for kinds in entry]
