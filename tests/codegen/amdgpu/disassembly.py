"""The disassembly of a code object: functions, basic blocks, instructions and the registers they read and write."""

import re
import subprocess
from dataclasses import dataclass, field

_TWO_RESULTS = re.compile(r"^v_(?:div_scale|.*_co_|mad_u64|mad_i64|swap)")
_ACCUMULATES = re.compile(r"_(fmac|mac|dot\w*c)_")
_REGISTER = re.compile(r"^(v|s|a|ttmp)(?:(\d+)|\[(\d+):(\d+)\])$")


@dataclass
class Instruction:
    name: str  # without the encoding's suffix: "v_fma_f32"
    results: list  # lists of registers, one per operand
    sources: list  # operands: lists of registers, or the text of a constant
    text: str
    other: "Instruction" = None  # the second half of a dual instruction; both read before either writes


@dataclass
class Block:
    instructions: list = field(default_factory=list)
    successors: list = field(default_factory=list)  # indices of blocks


def registers(operand):
    """["v4", "v5"] of "-|v[4:5]|"; None when it is a constant or something else."""
    match = _REGISTER.match(operand.strip("-|"))
    if operand.strip("-|") in ("vcc", "exec", "m0", "scc", "vcc_lo", "vcc_hi", "exec_lo", "exec_hi"):
        return [operand.strip("-|")]
    if not match:
        return None
    kind, one, first, last = match.groups()
    return [
        f"{kind}{i}" for i in (range(int(one), int(one) + 1) if one else range(int(first), int(last) + 1))
    ]


def _parse(text):
    first, dual, second = text.partition(" :: ")
    instruction = _half(first.strip())
    if dual:
        instruction.other = _half(second.strip())
    return instruction


def _half(text):
    name, _, rest = text.partition(" ")
    name = re.sub(r"_e32$|_e64$|_dpp$|_sdwa$|_e64_dpp$", "", name).replace("v_dual_", "v_")
    operands = [part.split()[0] for part in re.split(r",\s*(?![^\[]*\])", rest) if part.split()]
    named = [registers(operand) or operand for operand in operands]
    count = 2 if _TWO_RESULTS.search(name) else 1
    results = [operand for operand in named[:count] if isinstance(operand, list)]
    sources = named[count:]
    if _ACCUMULATES.search(name):
        sources = sources + named[:1]
    return Instruction(name, results, sources, text)


def _lines(objdump, path):
    command = [objdump, "-d", "--no-show-raw-insn", "--symbolize-operands", path]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        yield line.split("//")[0].rstrip()


def functions(objdump, path):
    """{name: blocks}; the first block is the entry."""
    found, blocks, labels = {}, None, {}
    for line in _lines(objdump, path):
        name = re.match(r"[0-9a-f]+ <(\w+)>:$", line)
        if name and not re.match(r"L\d+$", name.group(1)):
            blocks, labels = [Block()], {}
            found[name.group(1)] = (blocks, labels)
        elif name:
            if blocks[-1].instructions:
                blocks.append(Block())
            labels[name.group(1)] = len(blocks) - 1
        elif line.startswith("\t") and blocks is not None:
            blocks[-1].instructions.append(_parse(line.strip()))
            if re.match(r"s_(c?branch|endpgm|setpc)", blocks[-1].instructions[-1].name):
                blocks.append(Block())
    return {name: _connected(blocks, labels) for name, (blocks, labels) in found.items()}


def _connected(blocks, labels):
    for index, block in enumerate(blocks):
        last = block.instructions[-1] if block.instructions else None
        name = last.name if last else ""
        if not re.match(r"s_(branch|endpgm|setpc)", name) and index + 1 < len(blocks):
            block.successors.append(index + 1)
        if re.match(r"s_c?branch", name):
            block.successors.append(labels[last.text.split()[-1]])
    return blocks
