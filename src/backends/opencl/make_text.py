"""Makes the kernels' text for OpenCL drivers from the shared dialect text, at build time.

make_text.py COMPILER OUT [-D... options]

The host compiler's preprocessor flattens backends/simt/kernels.h (with dialect_include/ for <stdint.h>). What is left
to do is how arguments arrive: OpenCL buffers are handles, not addresses, and the host side passes addresses inside
buffers. So every pointer of a kernel becomes a pair (buffer, offset in bytes), put together in the kernel's first
lines, and a kernel with shared memory of a chosen size gets it as an argument.
"""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROLOGUE = """\
/* samebits: the kernels of src/backends/simt, made by src/backends/opencl/make_text.py. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL FP_CONTRACT {contract}
"""
KERNEL = re.compile(r"(__kernel __attribute__\(\([^{;]*?\)\)\) void)\s+(\w+)\(([^{]*?)\)\s*\{")
POINTER = re.compile(r"^(?P<type>.*__global[^*]*\*)\s*(?P<name>\w+)$", re.DOTALL)
DYNAMIC = "sb_dynamic_argument"


def preprocessed(compiler, options):
    source = '#include "backends/simt/kernels.h"\n'
    command = [compiler, "-E", "-P", "-undef", "-nostdinc", "-x", "c", "-DSB_OPENCL=1", *options]
    command += [f"-I{HERE / 'dialect_include'}", f"-I{HERE.parents[1]}", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def rewritten(match, body_starts_with_dynamic):
    head, name, parameters = match.groups()
    arguments, lines = [], []
    for parameter in (text.strip() for text in parameters.split(",")):
        pointer = POINTER.match(parameter)
        if not pointer:
            arguments.append(parameter)
            continue
        kind, label = pointer["type"], pointer["name"]
        space = "const __global uchar*" if "const" in kind else "__global uchar*"
        arguments += [f"{space} {label}_buffer", f"ulong {label}_offset"]
        lines.append(f"  {kind} {label} = ({kind})({label}_buffer + {label}_offset);")
    if body_starts_with_dynamic:
        arguments.append(f"__local uint4* {DYNAMIC}")  # of 16-byte vectors, so that it is aligned for all
    return f"{head}\n{name}({', '.join(arguments)}) {{\n" + "".join(line + "\n" for line in lines)


def kernels_text(flat):
    out, at = [], 0
    matches = list(KERNEL.finditer(flat))
    if len(matches) != flat.count("__kernel"):
        sys.exit(f"make_text: {flat.count('__kernel')} kernels in the text, {len(matches)} understood")
    for match, end in zip(matches, [*(m.start() for m in matches[1:]), len(flat)]):
        out += [flat[at : match.start()], rewritten(match, DYNAMIC in flat[match.end() : end])]
        at = match.end()
    return "".join([*out, flat[at:]])


def main():
    compiler, out, *options = sys.argv[1:]
    contract = "ON" if any("SAMEBITS_BREAK_CONTRACTION" in option for option in options) else "OFF"
    text = PROLOGUE.format(contract=contract) + kernels_text(preprocessed(compiler, options))
    Path(out).write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
