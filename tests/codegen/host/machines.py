"""What the instructions of a host processor may be, and which of them are fused multiply-adds.

Instructions are read from the compiler's assembly, one a line: a mnemonic and its operands."""

import re
from dataclasses import dataclass


@dataclass
class Machine:
    triple: str  # of the compilers and binary tools; "" for the machine that builds
    isas: tuple  # builds of the kernels whose written multiply-adds must be instructions
    fused: re.Pattern
    forbidden: tuple  # (pattern, what it is)
    wide: str  # what is found of a product of long doubles
    control: re.Pattern  # writes the floating-point environment: only fp_env.hpp may


def _machine(triple, isas, fused, forbidden, wide, control):
    compiled = tuple((re.compile(pattern), what) for pattern, what in forbidden)
    return Machine(triple, isas, re.compile(fused), compiled, wide, re.compile(control))


MACHINES = {
    "x86_64": _machine(
        "",
        ("avx2", "avx512"),
        r"^v?fn?m(add|sub|addsub|subadd)",
        (
            (r"^v?(rcp|rsqrt)(14|28)?[ps][sdh]\b", "an approximate reciprocal or root"),
            (
                r"^f(ld|st|ild|ist|add|sub|mul|div|sqrt|cos|sin|yl2x|2xm1|patan|ptan|scale|prem)",
                "the x87 unit",
            ),
            (r"^v?(exp2|dp)p[sd]\b|^vdpbf16ps|^vrange|^vfixupimm", "an operation with rules of its own"),
        ),
        "the x87 unit",
        r"^(v?ldmxcsr|fldcw|fldenv|fnstenv|xrstor|fxrstor)",
    ),
    "aarch64": _machine(
        "aarch64-linux-gnu",
        ("baseline",),
        r"^(fn?m(add|sub)|fml[as]|fcmla|fmlal|bfmla)",
        ((r"^(frecp|frsqrt|urecpe|ursqrte)", "an approximate reciprocal or root"),),
        "calls __multf3 of",
        r"^msr\s+fp[cs]r",
    ),
    "riscv64": _machine(
        "riscv64-linux-gnu",
        ("baseline",),
        r"^v?fw?n?m(add|sub|acc|sac)[.a-z]*",
        ((r"^vf(rec7|rsqrt7)", "an approximate reciprocal or root"),),
        "calls __multf3 of",
        r"^(fs(rm|csr|flags)|csr[wsc]\S*\s+\S*(fcsr|frm|fflags))",
    ),
    "s390x": _machine(
        "s390x-linux-gnu",
        ("baseline",),
        r"^(m[as][edh](br|b|r)?|[vw]fn?m[as]([sdx]b)?)\s",
        ((r"^(axbr|mxbr|dxbr|sxbr|sqxbr)\b", "128-bit floats"),),
        "128-bit floats",
        r"^(sfpc|lfpc|lfas|sfasr|srnm)",
    ),
}

# Helpers of the compiler that compute in floating point where the processor cannot, or in more than 64 bits.
SOFT_FLOAT = re.compile(
    r"^__(add|sub|mul|div|neg|eq|ne|lt|le|gt|ge|unord|extend|trunc|pow)[sdtxhkb]f\w*$"
    r"|^__(float|fix)\w*[sdtxhkb]f\w*$"
)
# Functions of libm that compute nothing.
ENVIRONMENT = {
    "fegetenv",
    "fesetenv",
    "fegetround",
    "fesetround",
    "feholdexcept",
    "feupdateenv",
    "feclearexcept",
}

INSTRUCTION = re.compile(r"^\s+([a-z][\w.]*)(?:\s+(.*))?$")
LABEL = re.compile(r"^([A-Za-z_][\w.$]*):")


def instructions(assembly):
    """(function, "mnemonic operands") of every instruction."""
    name = "?"
    for line in assembly.splitlines():
        label = LABEL.match(line)
        if label:
            name = label.group(1)
            continue
        found = INSTRUCTION.match(line)
        if found:
            operands = (found.group(2) or "").strip()
            text = f"{found.group(1)} {operands}"
            # prefixes and {evex}-like remarks of x86
            yield name, re.sub(r"^(rep\w*|lock|notrack|bnd)\s+", "", text)


def count_fused(machine, assembly):
    return sum(bool(machine.fused.match(text)) for _, text in instructions(assembly))


def findings(machine, assembly, may_set_environment):
    for name, text in instructions(assembly):
        for pattern, what in machine.forbidden:
            if pattern.match(text):
                yield f"{name}: {what}: {text}"
        if not may_set_environment and machine.control.match(text):
            yield f"{name}: sets the floating-point environment: {text}"
