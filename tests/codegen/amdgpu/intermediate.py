"""What the compiler's intermediate code of a kernel says that its machine code cannot.

How many fused multiply-adds were written, whether an operation may be changed, and which way round a selection between
a value and zero is."""

import re
from collections import Counter

_LICENCE = r"fast|contract|reassoc|nnan|ninf|nsz|arcp|afn"
_CHANGEABLE = re.compile(
    rf"= (?:tail )?(?:fadd|fsub|fmul|fdiv|frem|fneg|fcmp|select|phi|call) (?:\w+ )*?(?:{_LICENCE})\b"
)
_APPROXIMATE = re.compile(r"= fdiv .*!fpmath|= (?:tail )?call .*@llvm\.fmuladd\.|@llvm\.sqrt.*!fpmath")
_LIBRARY = re.compile(r"call [^@]*@(?!llvm\.)([\w.]+)\(")
_SELECT = re.compile(r"= select i1 (%[\w.]+), (?:float|double) ([^,]+), (?:float|double) ([^,]+)")
_COMPARE = re.compile(r"(%[\w.]+) = fcmp (\w+) (?:float|double) ([^,]+), ([^,]+)")
_ZERO = ("0.000000e+00", "-0.000000e+00")


def functions(path):
    """{name: lines} of a file of intermediate code."""
    found, lines = {}, None
    with open(path) as file:
        for line in file:
            start = re.match(r"define .*@(\w+)\(", line)
            if start:
                lines = found[start.group(1)] = []
            elif lines is not None:
                lines.append(line.strip())
    return found


def read(lines):
    """(counts, findings): counts["written"] fused multiply-adds, in elements."""
    counts, findings = Counter(), []
    for line in lines:
        fused = re.search(r"call [^@]*?(?:<(\d+) x )?\w+>? @llvm\.fma\.", line)
        if fused:
            counts["written"] += int(fused.group(1) or 1)
        for pattern, text in (
            (_CHANGEABLE, "may be changed"),
            (_APPROXIMATE, "may be approximate"),
            (_LIBRARY, "calls"),
        ):
            if pattern.search(line):
                findings.append(f"intermediate code {text}: {line}")
    return counts, findings


def odd_selections(lines):
    """Selections between x and zero by the sign of x that are not x > 0 ? x : +0: of x = -0 they may say -0."""
    compares = {}
    for line in lines:
        match = _COMPARE.search(line)
        if match:
            compares[match.group(1)] = match.groups()[1:]
    odd = []
    for line in lines:
        match = _SELECT.search(line)
        if not match or match.group(1) not in compares:
            continue
        predicate, left, right = compares[match.group(1)]
        arms = match.groups()[1:]
        compared = {left, right} - set(_ZERO)
        if len(compared) != 1 or not set(arms) & set(_ZERO) or not set(arms) & compared or "eq" in predicate:
            continue
        if (predicate, left, right, *arms) != ("ogt", left, _ZERO[0], left, _ZERO[0]):
            odd.append(f"selection with zero that is not x > 0 ? x : 0: {line} ({predicate} {left}, {right})")
    return odd
