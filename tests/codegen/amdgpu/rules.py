"""What the instructions of a kernel may be: only correctly rounded operations, and none fused that was not written so.

AMD's instruction sets divide and take square roots by sequences that hold reciprocals and fused multiply-adds. So
every value is followed through the kernel (all paths; where two meet, what they agree on), and a fused multiply-add
counts as a part of such a sequence only when all its operands come from it. What is left must have been written so.

Kinds of values: D a division's (from v_div_scale on); C an integer converted to float, R the reciprocal of one and what
is made of it (integer division); S a square root on its way, X what it is taken of; ("K", text) a constant."""

import re

FUSED = re.compile(
    r"^[vs]_(?:pk_)?(?:fma|fmac|fmamk|fmaak|mad|mac|madmk|madak|mad_mix\w*|fma_mix\w*)_(?:legacy_)?f(?:16|32|64)$"
)
_FORBIDDEN = [
    (
        r"_(?:exp|log|sin|cos|tanh|rsq|rcp_legacy|rcp_clamp|fract)_(?:legacy_)?f(?:16|32)$|_(?:sin|cos|fract)_f64$",
        "an approximate function",
    ),
    (r"_legacy_f|_dx9_zero_f", "an operation with other rules for zero"),
    (r"mfma|smfmac|wmma|_dot\d|mad_mix|fma_mix", "a matrix or mixed-precision operation"),
    (
        r"_(?:med3|min3|max3|minmax|maxmin|minimum|maximum)(?:_num)?_f",
        "a minimum or maximum that is no a < b ? a : b",
    ),
    (
        r"^(?:ds|global|flat|buffer)_(?:atomic_)?(?:pk_)?f?(?:add|sub|min|max)(?:_num)?_(?:rtn_)?(?:pk_)?b?f(?:16|32|64)",
        "a floating-point atomic",
    ),
    (r"^s_(?:swappc|setpc|call)", "a call"),
    (r"^s_(?:denorm|round)_mode", "a change of the floating-point mode"),
]
_INTEGER_CONVERSION = re.compile(r"^[vs]_cvt_f(?:32|64)_(?:u32|i32|ubyte\d)$")
_COPY = re.compile(r"^[vs]_(?:mov_b32|mov_b64|pk_mov_b32|readfirstlane_b32|accvgpr_\w+)$")
_TWO_TO_32 = "0x4f800000"
_MINUS_TWO_TO_32 = "0xcf800000"
_ZERO = ("0", "0x80000000", "0:0x80000000")


class Flow:
    """The kinds of the registers at one place of a kernel, and what its instructions do to them."""

    def __init__(self, kinds=None):
        self.kinds = dict(kinds or {})

    def kind(self, operand):
        if isinstance(operand, str):
            return ("K", operand.lstrip("-"))
        found = [self.kinds.get(register) for register in operand]
        if len(set(found)) == 1:
            return found[0]
        if all(isinstance(kind, tuple) for kind in found):
            return ("K", ":".join(kind[1] for kind in found))
        return None

    def step(self, instruction, report):
        """Applies one instruction; report(text) is called for what is not allowed."""
        halves = [half for half in (instruction, instruction.other) if half]
        results = [
            self._result(half, [self.kind(source) for source in half.sources], report) for half in halves
        ]
        for half in halves:
            for register in (register for registers in half.results for register in registers):
                self.kinds.pop(register, None)
        for half, result in zip(halves, results):
            if result is not None and half.results:
                self.kinds.update(dict.fromkeys(half.results[0], result))

    def _result(self, instruction, kinds, report):
        name = instruction.name
        if FUSED.match(name):
            return self._fused(name, kinds, report)
        if name.startswith("v_div_"):
            return _division(name, kinds, report)
        if re.match(r"v(?:_s)?_rcp_(?:iflag_)?f(?:32|64)$", name):
            return _reciprocal(name, kinds, report)
        if re.match(r"v(?:_s)?_sqrt_f32$|v_rsq_f64$", name):
            self._radicand(instruction.sources[0])
            report("root")
            return "S"
        if re.match(r"v(?:_s)?_sqrt_|v_s_rsq_", name):
            report("a bare square root")
        if _INTEGER_CONVERSION.match(name):
            return "C"
        if re.match(r"[vs]_xor_b32$", name) and ("K", "0x80000000") in kinds:
            return next((kind for kind in kinds if kind in ("D", "C", "R", "S")), None)  # a negation
        if re.match(r"[vs]_(?:add|sub|subrev)_(?:nc_|co_)?[ui]32$", name) and "S" in kinds:
            return "S"  # the neighbours of a square root
        if _COPY.match(name) or name.startswith("v_cndmask_b32"):
            values = kinds[:2] if name.startswith("v_cndmask") else kinds
            return values[0] if len(set(values)) == 1 else None
        return _arithmetic(name, kinds)

    def _radicand(self, operand):
        if isinstance(operand, list):
            for register in operand:
                self.kinds[register] = "X"

    def _fused(self, name, kinds, report):
        constant = [kind[1] if isinstance(kind, tuple) else None for kind in kinds]
        if all(kind == "D" or text == "1.0" for kind, text in zip(kinds, constant)) and "D" in kinds:
            return "D"
        small = [kind == "C" or text is not None for kind, text in zip(kinds, constant)]
        if "C" in kinds and _TWO_TO_32 in constant and all(small):
            return "C"
        if "R" in kinds and all(kind == "R" or is_small for kind, is_small in zip(kinds, small)):
            return "R"
        if "S" in kinds and all(kind in ("S", "X") or text == "0.5" for kind, text in zip(kinds, constant)):
            report("refined")
            return "S"
        report("pk_fused" if "_pk_" in name else "fused")
        return None


def _division(name, kinds, report):
    if name.startswith("v_div_scale"):
        return "D"
    if name.startswith("v_div_fmas"):
        if any(kind != "D" for kind in kinds[:3]):
            report("v_div_fmas outside a division")
        return "D"
    if kinds[0] != "D":
        report("v_div_fixup outside a division")
    report("division")
    return None


def _reciprocal(name, kinds, report):
    if kinds[0] == "D" and "iflag" not in name:
        return "D"
    if kinds[0] == "C" or isinstance(kinds[0], tuple):
        return "R"
    report("a bare reciprocal")
    return None


def _arithmetic(name, kinds):
    """Steps of the sequences that are no fused operation."""
    if re.match(r"[vs]_mul_f(?:32|64)$", name):
        if all(kind == "D" for kind in kinds):
            return "D"
        if "R" in kinds and all(kind in ("R", "C") or isinstance(kind, tuple) for kind in kinds):
            return "R"
        if "S" in kinds and all(kind in ("S", "X") or isinstance(kind, tuple) for kind in kinds):
            return "S"
    if re.match(r"[vs]_trunc_f32$", name):
        return kinds[0] if kinds[0] == "R" else None
    return None


def extremes(instruction, kinds):
    """Whether a minimum or maximum could differ from a < b ? a : b: None, "zero" or "other".

    Equal operands only make a NaN quiet; with a constant other than zero no two zeros meet; maximum(x, +0) is
    x > 0 ? x : 0, since the hardware puts -0 below +0 (whether that was written, and not x < 0 ? 0 : x, is read in the
    compiler's intermediate code)."""
    match = re.match(r"v_(min|max)(?:_num)?_f(?:32|64)$", instruction.name)
    if not match:
        return None
    constants = [kind[1] for kind in kinds if isinstance(kind, tuple)]
    same = instruction.text.split(",")[1].strip() == instruction.text.split(",")[-1].strip()
    if same or (constants and constants[0] not in _ZERO):
        return None
    if match.group(1) == "max" and constants and constants[0] == "0":
        return "zero"
    return "other"


def forbidden(instruction):
    """Why an instruction is not allowed whatever its operands are, or None."""
    for pattern, reason in _FORBIDDEN:
        if re.search(pattern, instruction.name):
            return reason
    if instruction.name.startswith("s_setreg") and re.search(r"HW_REG_MODE|hwreg\(1[,)]", instruction.text):
        return "a change of the floating-point mode"
    is_float = re.search(r"_f(?:16|32|64)$", instruction.name) and not instruction.name.startswith("v_cmp")
    if is_float and re.search(r" clamp\b| (?:mul|div):[24]\b", instruction.text):
        return "an output that is clamped or scaled"
    return None
