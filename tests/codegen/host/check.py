"""Reads what the compilers made of libsamebits for the host: every source, with the flags of the build, on x86-64 and
with the cross compilers; the kernels and the reference backend with clang++ too. Then proves that the reading notices
errors.

    check.py [BUILD]        BUILD (default build/dev): whose finished libraries are read as well

- No fused multiply-add but the written ones: a source whose code has any is compiled once more with every written one
  replaced by a call, and then none may be left. Where the processor has the instruction, the kernels must use it.
- No approximate instruction, no x87 unit, no 128-bit floats.
- No call of the mathematics library or of a compiler's helper that computes floats; the kernels call nothing at all.
- Nothing but runtime/fp_env.hpp sets the floating-point environment; no library does so when it is loaded.
- The flags are those of strict IEEE arithmetic by the compiler's own account (its predefined macros)."""

import concurrent.futures
import functools
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import compiling
import machines

ROOT = compiling.ROOT
WRONG = pathlib.Path(__file__).with_name("wrong.cpp")
CONTRACT = "-ffp-contract=off"
MEMORY = {"memcpy", "memset", "memmove", "memcmp", "bcmp", "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_"}
# On x86-64 the guard is two instructions in place; elsewhere it calls fesetenv, and no unit has the instruction itself.
GUARDED = {"x86_64"}
LOOSE = ("__FAST_MATH__", "__RECIPROCAL_MATH__", "__ASSOCIATIVE_MATH__", "__NO_SIGNED_ZEROS__")
# Whose code computes. The rest (devices, loader, hashes) is read in the native build only.
COMPUTING = ("primitives/", "backends/cpu/", "estimators/")


@functools.cache
def mathematics(compiler):
    """Names that the compiler's libm exports."""
    path = run(compiler, "-print-file-name=libm.so.6").strip()
    lines = run("nm", "-D", "--defined-only", path).splitlines()
    names = {line.split()[-1].split("@")[0] for line in lines}
    if not {"exp", "fma", "sinf"} <= names:
        raise RuntimeError(f"{path} does not look like libm")
    return names - machines.ENVIRONMENT


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def undefined(machine, unit, assembly):
    """Symbols that the code takes from elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "x.s", pathlib.Path(folder) / "x.o"
        source.write_text(assembly)
        unit.run("-w", "-c", "-x", "assembler", str(source), "-o", str(target))
        lines = run(f"{machine.triple}-nm".lstrip("-"), "--undefined-only", str(target)).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def symbol_findings(machine, unit, assembly):
    names = undefined(machine, unit, assembly)
    foreign = names - MEMORY if unit.isa else set()
    libm = mathematics(f"{machine.triple}-g++".lstrip("-"))
    for name in sorted(names):
        if name in libm or machines.SOFT_FLOAT.match(name):
            yield f"calls {name} of another library's arithmetic"
        elif name in foreign:
            yield f"a kernel calls {name}"


def flag_findings(unit):
    macros = unit.macros()
    for name in LOOSE:
        if name in macros:
            yield f"the flags define {name}"
    for name, want in (("__FINITE_MATH_ONLY__", "0"), ("__FLT_EVAL_METHOD__", "0")):
        if macros.get(name, want) != want:
            yield f"the flags make {name} {macros[name]}, need {want}"


def examine(name, unit):
    """(number of fused multiply-adds, findings) of one unit on the machine of that name."""
    machine = machines.MACHINES[name]
    assembly = unit.assembly()
    fused = machines.count_fused(machine, assembly)
    found = list(machines.findings(machine, assembly, may_set_environment=name in GUARDED and not unit.isa))
    found += symbol_findings(machine, unit, assembly)
    if fused:
        left = machines.count_fused(machine, unit.marked())
        if left:
            found.append(f"{left} fused multiply-adds that are written nowhere")
    elif unit.isa in machine.isas and unit.source.name == "kernels.cpp":
        found.append("the written fused multiply-adds are no instructions")
    return fused, found


def read_all(name, label, units):
    """Findings of the units, examined side by side; prints a line."""
    findings, fused = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for unit, (count, found) in zip(units, pool.map(lambda u: examine(name, u), units)):
            fused += count
            findings += [f"{label}: {unit.name}: {text}" for text in found]
    by_flags = {tuple(unit.command): unit for unit in units if unit.isa or unit is units[0]}
    for unit in by_flags.values():
        findings += [f"{label}: {text}" for text in flag_findings(unit)]
    print(f"{label}: {len(units)} sources, {fused} fused multiply-adds as written, {len(findings)} findings")
    return findings


def controls(name, label, units):
    """What the reading must say of wrong code and of the kernels under wrong flags."""
    kernel = [unit for unit in units if unit.isa][-1]
    fast = {"drop": (CONTRACT,), "add": ("-ffp-contract=fast",)}
    cases = [
        ("kernels, contraction allowed", kernel.with_flags(**fast), "written nowhere"),
        ("contraction", wrong(kernel, "CONTRACTION").with_flags(**fast), "written nowhere"),
        ("a library's function", wrong(kernel, "LIBRARY"), "calls expf of"),
        ("long double", wrong(kernel, "LONG_DOUBLE"), machines.MACHINES[name].wide),
        ("flush to zero", wrong(kernel, "FLUSH"), "sets the floating-point environment"),
    ]
    if name == "x86_64":
        baseline = next(unit for unit in units if unit.isa == "baseline")
        ffast = wrong(kernel, "APPROXIMATION").with_flags(add=("-ffast-math",))
        cases += [
            ("a multiply-add without the instruction", wrong(baseline, "FUSED_LIBRARY"), "calls fma of"),
            ("approximation", ffast, "approximate"),
        ]
    for what, unit, expected in cases:
        _, found = examine(name, unit)
        if not any(expected in text for text in found):
            yield f"{label}: control '{what}' was not noticed; found: {found[:3]}"
    if not list(flag_findings(kernel.with_flags(add=("-ffast-math",)))):
        yield f"{label}: control '-ffast-math' was not noticed"
    print(f"{label}: {len(cases) + 1} wrong builds tried")


def wrong(unit, what):
    return unit.with_source(WRONG).with_flags(add=(f"-DWRONG_{what}",))


def library_findings(path):
    """Of a finished x86-64 library: foreign mathematics, and code that turns subnormals off (0x8040 of MXCSR)."""
    names = {
        line.split()[-1].split("@")[0] for line in run("nm", "-D", "--undefined-only", str(path)).splitlines()
    }
    for name in sorted(names & mathematics("g++")):
        yield f"{path.name}: takes {name} from the mathematics library"
    code = run("objdump", "-d", "--no-show-raw-insn", str(path))
    if re.search(r"\$0x8040\b", code) or "set_fast_math" in code:
        yield f"{path.name}: has code that sets flush-to-zero and denormals-are-zero"


def read_libraries(folder):
    paths = sorted(folder.glob("lib/libsamebits*.so"))
    if not paths:
        print(f"SKIPPED: no libraries in {folder}/lib; build them to have them read")
        return []
    findings = [text for path in paths for text in library_findings(path)]
    with tempfile.TemporaryDirectory() as name:
        target = pathlib.Path(name) / "libwrong.so"
        run("g++", "-shared", "-fPIC", "-DWRONG_STARTUP", str(WRONG), "-o", str(target))
        if not list(library_findings(target)):
            findings.append("control 'a library that flushes when it is loaded' was not noticed")
    print(f"{', '.join(path.name for path in paths)}: read, {len(findings)} findings")
    return findings


def native(findings):
    all_units = compiling.units(compiling.configure(ROOT / "build/codegen/x86_64"))
    findings += read_all("x86_64", "x86-64", all_units)
    findings += controls("x86_64", "x86-64", all_units)
    clang = next((c for c in ("clang++-19", "clang++") if shutil.which(c)), None)
    if clang is None:
        print("SKIPPED: clang++ is not installed; its code was not read")
        return
    units = [unit.with_compiler(clang) for unit in all_units if computes(unit, "primitives/", "kernels/")]
    findings += read_all("x86_64", f"x86-64 by {clang}", units)
    findings += controls("x86_64", f"x86-64 by {clang}", units)


def computes(unit, *folders):
    return any(folder in unit.name for folder in folders or COMPUTING)


def cross(name, findings):
    machine = machines.MACHINES[name]
    if not shutil.which(f"{machine.triple}-g++"):
        print(f"SKIPPED: no {machine.triple}-g++ (package g++-{machine.triple}); code of {name} was not read")
        return
    toolchain = ROOT / f"cmake/toolchains/{machine.triple}.cmake"
    commands = compiling.configure(
        ROOT / f"build/codegen/{name}", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", "-DSAMEBITS_STATIC=ON"
    )
    units = [unit for unit in compiling.units(commands) if computes(unit)]
    findings += read_all(name, name, units)
    findings += controls(name, name, units)


def main():
    build = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/dev"
    findings = []
    if platform.machine() == "x86_64":
        native(findings)
        findings += read_libraries(build)
    else:
        print(f"SKIPPED: the native part reads x86-64 code; this machine is {platform.machine()}")
    for name in ("aarch64", "riscv64", "s390x"):
        cross(name, findings)
    for finding in findings[:40]:
        print(f"FAIL: {finding}")
    print(f"host code generation: {'ok' if not findings else f'{len(findings)} findings'}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
