"""The layers: which folder may include which. Arrows only go down (docs/design.md)."""

import posixpath
import re

import common

# Folder -> what its files may include, as prefixes below src/ or include/. The longest matching folder
# counts; a folder's own files and "samebits_build_info.h" (generated) are always allowed. The order is that
# of the layers, top first.
LAYERS = {
    "python/src": "samebits",
    "include/samebits": "samebits",
    "src/estimators": "samebits primitives/contract primitives/dispatch runtime trace numerics",
    "src/trace": "samebits numerics",
    "src/primitives/dispatch": "samebits primitives/contract runtime",
    "src/primitives/reference": "samebits primitives/contract runtime numerics",
    "src/primitives/arrays": "samebits primitives/contract primitives/dispatch runtime numerics",
    "src/primitives/contract": "runtime/backend_abi.h",
    "src/backends/built_in.cpp": "runtime/loader.hpp primitives/reference/backend.hpp backends/cpu/backend.hpp",
    "src/backends/cpu/kernels": "primitives/contract numerics",
    "src/backends/cpu": "samebits primitives/contract runtime numerics",
    "src/backends/simt": "primitives/contract numerics",
    "src/backends/gpu": "primitives/contract runtime/backend_abi.h runtime/fp_env.hpp numerics backends/simt",
    "src/backends/cuda": "primitives/contract runtime/backend_abi.h numerics backends/simt backends/gpu",
    "src/backends/hip": "primitives/contract runtime/backend_abi.h numerics backends/simt backends/gpu",
    "src/backends/opencl": "primitives/contract runtime/backend_abi.h numerics backends/simt backends/gpu",
    "src/runtime": "samebits numerics",
    "src/numerics/ops": "numerics",
    "src/numerics/random": "numerics/dialect numerics/arith numerics/elementary",
    "src/numerics/order": "numerics/dialect numerics/arith",
    "src/numerics/reduce": "numerics/dialect numerics/arith",
    "src/numerics/product": "numerics/dialect numerics/arith",
    "src/numerics/elementary": "numerics/dialect numerics/arith",
    "src/numerics/arith": "numerics/dialect",
    "src/numerics/dialect": "",
}

# System headers that a folder must not include, with the reason.
REFUSED = {
    "src/estimators": (
        r"cmath|math\.h|thread|atomic|mutex|omp\.h|immintrin\.h|random",
        "estimators call primitives",
    ),
    "src/numerics": (r"(?!stdint\.h$).*", "the dialect knows only <stdint.h>"),
    "src/backends/simt": (r"(?!stdint\.h$).*", "the dialect knows only <stdint.h>"),
    "src/primitives/contract": (r"(?!std(int|def)\.h$).*", "a contract is plain C"),
    "src/backends/cpu/kernels": (
        r"(?!std(int|def)\.h$).*",
        "an inline function of a library compiled for one instruction set would be linked into the rest",
    ),
}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def folder_of(path, table):
    matches = [folder for folder in table if path == folder or path.startswith(folder + "/")]
    return max(matches, key=len) if matches else None


def allowed(path, header, folder):
    own = [
        folder.removesuffix("/loader.cpp")
        .removeprefix("src/")
        .removeprefix("include/")
        .removeprefix("python/")
    ]
    if "/" not in header:  # a neighbour
        return True
    if header.startswith("."):
        header = posixpath.normpath(posixpath.join(posixpath.dirname(path), header)).removeprefix("src/")
    prefixes = own + LAYERS[folder].split()
    return any(header == prefix or header.startswith(prefix + "/") for prefix in prefixes)


def check(path, text):
    folder = folder_of(path, LAYERS)
    if folder is None:
        return [f"{path}:1: the folder is no layer, add it to the table of tools/lint/layers.py"]
    found = []
    text = common.without_comments(text)
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        quoted, system = match.groups()
        if quoted and not allowed(path, quoted, folder):
            found.append(
                f'{path}:{line}: {folder} may not include "{quoted}", only: {LAYERS[folder] or "itself"}'
            )
        refusing = folder_of(path, REFUSED)
        if system and refusing:
            names, reason = REFUSED[refusing]
            if re.fullmatch(names, system):
                found.append(f"{path}:{line}: {refusing} may not include <{system}>: {reason}")
    return found


BAD = [
    ("src/numerics/arith/a.h", '#include "runtime/buffer.hpp"\n', "may not include"),
    ("src/numerics/arith/a.h", "#include <math.h>\n", "may not include"),
    ("src/numerics/reduce/a.h", '#include "numerics/ops/loss.h"\n', "may not include"),
    ("src/runtime/a.cpp", '#include "estimators/boosting/engine.hpp"\n', "may not include"),
    ("src/estimators/boosting/a.cpp", "#include <cmath>\n", "may not include"),
    ("src/estimators/boosting/a.cpp", '#include "backends/cpu/backend.hpp"\n', "may not include"),
    ("src/backends/cuda/a.cu", '#include "backends/cpu/backend.hpp"\n', "may not include"),
    ("src/backends/cpu/kernels/a.h", "#include <vector>\n", "may not include"),
    ("python/src/a.cpp", '#include "runtime/buffer.hpp"\n', "may not include"),
    ("src/new_folder/a.cpp", "", "no layer"),
]
GOOD = [
    ("src/numerics/ops/a.h", '#include "numerics/arith/arith.h"\n#include <stdint.h>\n'),
    (
        "src/estimators/boosting/a.cpp",
        '#include "primitives/dispatch/call.hpp"\n#include <vector>\n// #include <cmath>\n',
    ),
    ("src/backends/cpu/kernels/a.h", '#include "kernels.h"\n#include "backends/cpu/kernels/b.h"\n'),
    ("python/src/a.cpp", '#include "samebits/boosting.hpp"\n#include <nanobind/nanobind.h>\n'),
]

if __name__ == "__main__":
    selected = [
        name
        for name in common.files(".h", ".hpp", ".cpp", ".cu", ".cuh", ".hip", ".c")
        if name.startswith(("src/", "include/", "python/src/"))
    ]
    common.main("layers", check, selected, BAD, GOOD)
