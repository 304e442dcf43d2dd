"""Reads the machine code of every kernel that the HIP plugin carries; then proves that the reading notices errors.

    check.py PLUGIN COMPILE_TXT     PLUGIN: libsamebits_hip.so; COMPILE_TXT: the build's device compiler and flags

For each code object: only correctly rounded operations, nothing fused that was not written (rules.py), subnormals kept
and rounding to nearest in every kernel's descriptor, LDS of at most 64 KB with what a launch adds, no spills, no calls,
all kernels there. The same reading of objects built with one flag turned round must fail, each for its own reason."""

import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import code_object
import disassembly
import intermediate
import kernel

ROOT = pathlib.Path(__file__).resolve().parents[3]
KERNELS = ROOT / "src" / "backends" / "hip" / "kernels.hip"
PROBE = pathlib.Path(__file__).with_name("probe.hip")
MOST_LDS = 65536
MODES = {"round_32": 0, "round_16_64": 0, "denorm_32": 3, "denorm_16_64": 3}
CONTRACT, DIVIDE = "-ffp-contract=off", "-fhip-fp32-correctly-rounded-divide-sqrt"
FLUSH = "-fno-gpu-flush-denormals-to-zero"

# (name, flag of the build, what takes its place, what must be found)
CONTROLS = [
    ("contraction allowed", CONTRACT, "-ffp-contract=fast", "fused multiply-adds, of which"),
    ("contraction by HIP's default", CONTRACT, None, "fused multiply-adds, of which"),
    (
        "division not correctly rounded",
        DIVIDE,
        "-fno-hip-fp32-correctly-rounded-divide-sqrt",
        "a bare reciprocal",
    ),
    ("subnormals flushed", FLUSH, "-fgpu-flush-denormals-to-zero", "floating-point modes"),
    ("more lanes than LDS", "-DSB_HISTOGRAM_LANES=8u", "-DSB_HISTOGRAM_LANES=16u", "bytes of LDS"),
]


@dataclass
class Tools:
    compile: list  # the device compiler and its flags
    objdump: str
    readelf: str

    def build(self, source, target, output, *more):
        command = [*self.compile, f"--offload-arch={target}", *more, str(source), "-o", str(output)]
        subprocess.run(command, check=True, capture_output=True, text=True)


def tools_of(compile_txt):
    command = pathlib.Path(compile_txt).read_text().split("\n")[:-1]

    def program(name):
        question = [command[0], f"-print-prog-name={name}"]
        return subprocess.run(question, capture_output=True, text=True, check=True).stdout.strip()

    return Tools(command, program("llvm-objdump"), program("llvm-readelf"))


def expected_kernels():
    text = (ROOT / "src" / "backends" / "simt" / "kernels.h").read_text()
    return set(re.findall(r"^ +X\((sb_\w+),", text, re.MULTILINE))


def dynamic_lds(flags):
    """Bytes that a launch adds at most, per kernel: the tables of histogram.h (256 cells, 5 words a lane) and
    bin_assign.h (255 edges a lane)."""
    lanes = {
        key: int(n) for key, n in (re.match(r"-D(SB_\w+)=(\d+)u", f).groups() for f in flags if "-DSB_" in f)
    }
    edges = 255 * lanes["SB_EDGE_LANES"]
    return {
        "sb_histogram_pieces": 256 * lanes["SB_HISTOGRAM_LANES"] * 5 * 4,
        "sb_assign_f32": edges * 4,
        "sb_assign_f64": edges * 8,
    }


def check_resources(tools, path, elf, dynamic):
    facts, _ = code_object.metadata(tools.readelf, path)
    modes = code_object.modes(elf)
    for name, fields in facts.items():
        lds = fields["group_segment_fixed_size"] + dynamic.get(name, 0)
        if lds > MOST_LDS:
            yield f"{name}: {lds} bytes of LDS, at most {MOST_LDS}"
        for field in ("private_segment_fixed_size", "sgpr_spill_count", "vgpr_spill_count"):
            if fields[field] != 0:
                yield f"{name}: {field} is {fields[field]}, need 0"
        if fields.get("uses_dynamic_stack", "false") != "false":
            yield f"{name}: uses a dynamic stack"
        if modes.get(name) != MODES:
            yield f"{name}: floating-point modes {modes.get(name)}, need {MODES}"
    for symbol, kind, section, _, _ in elf.symbols():
        if section == 0 and symbol:
            yield f"undefined symbol {symbol}"
        if kind == 2 and symbol not in facts:
            yield f"a function that is no kernel: {symbol}"


def check_code(tools, path, written):
    for name, blocks in disassembly.functions(tools.objdump, path).items():
        counts, findings = kernel.read(blocks)
        yield from (f"{name}: {finding}" for finding in findings)
        lines = written.get(name, [])
        ir_counts, ir_findings = intermediate.read(lines)
        yield from (f"{name}: {finding}" for finding in ir_findings)
        fused = counts["fused"] + 2 * counts["pk_fused"]
        if fused > ir_counts["written"]:
            yield f"{name}: {fused} fused multiply-adds, of which {ir_counts['written']} were written"
        if counts["maximum_with_zero"]:
            yield from (f"{name}: {finding}" for finding in intermediate.odd_selections(lines))


def examine(tools, path, source, target, kernels, dynamic):
    """All findings of one code object; source is compiled once more, to intermediate code, with the same flags."""
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder) / "kernels.ll"
        tools.build(source, target, text, "-S", "-emit-llvm")
        written = intermediate.functions(text)
    elf = code_object.Elf(pathlib.Path(path).read_bytes())
    findings = [*check_resources(tools, path, elf, dynamic), *check_code(tools, path, written)]
    found = set(code_object.modes(elf))
    findings += [f"kernel {name} is missing" for name in sorted(kernels - found)]
    return findings


def check_product(tools, plugin, folder):
    """Every code object of the plugin. Returns (targets, findings)."""
    targets, findings = [], []
    for number, data in enumerate(code_object.carried(pathlib.Path(plugin).read_bytes())):
        path = folder / f"{number}.co"
        path.write_bytes(data)
        _, target = code_object.metadata(tools.readelf, path)
        targets.append(target)
        dynamic = dynamic_lds(tools.compile)
        found = examine(tools, path, KERNELS, target, expected_kernels(), dynamic)
        print(f"{target}: {len(code_object.modes(code_object.Elf(data)))} kernels, {len(found)} findings")
        findings += [f"{target}: {finding}" for finding in found]
    if not targets:
        findings.append(f"{plugin} carries no code object")
    return targets, findings


def check_probe(tools, targets, folder):
    """Divisions, square roots and a written fma, of both widths: all allowed, and the fma is the instruction."""
    for target in targets:
        tools.build(PROBE, target, folder / "probe.co", "-c")
        for finding in examine(tools, folder / "probe.co", PROBE, target, set(), {}):
            yield f"probe {target}: {finding}"
        for name, blocks in disassembly.functions(tools.objdump, folder / "probe.co").items():
            counts, _ = kernel.read(blocks)
            for kind, word in (("fused", "fma"), ("division", "divide"), ("root", "root")):
                if (counts[kind] > 0) != (word in name):
                    yield f"probe {target}: {name} has {counts[kind]} of kind '{kind}'"


def check_controls(tools, targets, folder):
    """What must be found in objects that are built wrongly."""
    for target in dict.fromkeys((targets[0], targets[-1])):
        for name, flag, instead, expected in CONTROLS:
            if flag not in tools.compile:
                yield f"control '{name}': the build has no flag {flag}"
                continue
            flags = [instead if f == flag else f for f in tools.compile]
            wrong = Tools([f for f in flags if f], tools.objdump, tools.readelf)
            wrong.build(KERNELS, target, folder / "wrong.co", "-c")
            dynamic = dynamic_lds(wrong.compile)
            found = examine(wrong, folder / "wrong.co", KERNELS, target, expected_kernels(), dynamic)
            hits = sum(expected in finding for finding in found)
            print(f"control on {target}, {name}: {hits} findings of '{expected}'")
            if not hits:
                yield f"control '{name}' on {target} was not noticed; found: {found[:3]}"
        roots = [f for f in tools.compile if f != DIVIDE] + ["-fno-hip-fp32-correctly-rounded-divide-sqrt"]
        wrong = Tools(roots, tools.objdump, tools.readelf)
        wrong.build(PROBE, target, folder / "wrong.co", "-c")
        if not any(
            "bare square root" in f for f in examine(wrong, folder / "wrong.co", PROBE, target, set(), {})
        ):
            yield f"control 'square root not correctly rounded' on {target} was not noticed"


def main():
    plugin, compile_txt = sys.argv[1:]
    tools = tools_of(compile_txt)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        targets, findings = check_product(tools, plugin, folder)
        findings += check_probe(tools, targets, folder)
        findings += check_controls(tools, targets, folder) if targets else []
    for finding in findings[:40]:
        print(f"FAIL: {finding}")
    print(f"AMD code generation: {'ok' if not findings else f'{len(findings)} findings'}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
