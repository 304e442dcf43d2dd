"""Words that must not appear in a place: the rules of the dialect and of the numeric contract as far as text shows them."""

import re

import common

SOURCES = (".h", ".hpp", ".cpp", ".cu", ".cuh", ".hip", ".c")

# Names of the C mathematics library (with f and l forms), as calls. Own functions are sb_..., so they do not
# match.
LIBM = (
    r"(?<![\w.])(?:std::|::)?(?:sqrt|cbrt|hypot|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|sin|cos|tan|asin|acos|atan|atan2|"
    r"sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|tgamma|lgamma|fma|fmin|fmax|fmod|remainder|rint|nearbyint|round|lrint|"
    r"llrint|lround|floor|ceil|trunc|ldexp|frexp|scalbn)[fl]?\s*\("
)
COMPILERS = (
    r"__(?:CUDACC\w*|CUDA_ARCH\w*|NVCC\w*|HIP\w*|GNUC\w*|clang\w*|INTEL\w*|ICC|AVX\w*|SSE\w*|FMA\w*|BMI\w*|ARM_\w+|"
    r"OPENCL\w*|METAL\w*|FAST_MATH__|OPTIMIZE\w*)\b|\b_MSC_VER\b"
)
CONDITION = r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b[^\n]*"

# (name, places by prefix, places excepted by prefix or suffix, files by suffix, pattern, reason)
RULES = [
    (
        "C++",
        ["src/numerics/", "src/backends/simt/"],
        [],
        SOURCES,
        r"\bstd::|\btemplate\b|\bnamespace\b|\bclass\b|\boperator\b|\bauto\b|\bconstexpr\b|\busing\b|\breinterpret_cast\b|"
        r"\bstatic_cast\b|\w &\w+[,)]|\w& \w+[,)]",
        "the dialect is plain C, read by every compiler",
    ),
    (
        "libm",
        [
            "src/numerics/",
            "src/backends/simt/",
            "src/backends/cpu/",
            "src/backends/cuda/",
            "src/backends/gpu/",
            "src/backends/hip/",
            "src/estimators/",
            "src/primitives/",
        ],
        ["src/numerics/dialect/"],
        SOURCES,
        LIBM,
        "elementary functions come from src/numerics/elementary (C3), fma and sqrt from src/numerics/arith (C1)",
    ),
    (
        "builtin",
        ["src/"],
        ["src/numerics/dialect/", "src/numerics/arith/"],
        SOURCES,
        r"\b__builtin_(?:fma|sqrt|exp|log|pow|sin|cos|tanh|fmin|fmax|rint|round|floor|ceil)\w*\b|\b__f(?:add|mul|div|sqrt|maf)_r\w\b",
        "say it with the functions of src/numerics/arith",
    ),
    (
        "random",
        ["src/"],
        [],
        SOURCES,
        r"(?<!\w)(?:std::|::)?(?:s?rand|drand48|random)\s*\(|\bstd::(?:mt19937\w*|random_device|\w+_distribution)\b",
        "randomness is Philox (C8)",
    ),
    (
        "order",
        ["src/estimators/", "src/primitives/", "src/backends/cpu/", "src/backends/simt/"],
        [],
        SOURCES,
        r"\bstd::unordered_\w+|\bstd::execution\b|\bstd::reduce\b",
        "the order of this is not fixed (C4, C7)",
    ),
    (
        "float atomics",
        ["src/"],
        [],
        SOURCES,
        r"\batomicAdd\s*\(\s*\(?\s*(?:float|double)\b|\bstd::atomic<(?:float|double)>|\bsb_\w+_add_f(?:32|64)\b",
        "sums by key are integers (C6)",
    ),
    (
        "f64",
        ["src/numerics/elementary/"],
        ["_f64.h"],
        (".h",),
        r"\bsb_f64\b|\bdouble\b|(?<![\w.])(?:(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|0x[0-9a-fA-F.]+p[-+]?\d+)(?![\w.])",
        "an f32 function uses no f64 (C3); write the literal with f, or name the file _f64.h",
    ),
    (
        "threads",
        ["src/estimators/", "src/trace/", "src/primitives/", "include/"],
        [],
        SOURCES,
        r"\bstd::(?:thread|async|mutex|atomic)\b|#[ \t]*pragma[ \t]+omp|\bomp_\w+\s*\(",
        "threads live in src/runtime and are used by backends",
    ),
    (
        "clock",
        ["src/estimators/", "src/primitives/", "src/numerics/", "src/backends/cpu/", "src/backends/simt/"],
        [],
        SOURCES,
        r"\bstd::chrono\b|\bclock\s*\(|\btime\s*\(",
        "no decision may read time (C9)",
    ),
    (
        "openmp",
        ["src/", "include/", "python/src/"],
        [],
        SOURCES,
        r"#[ \t]*pragma[ \t]+omp|\bomp\.h\b",
        "GNU OpenMP hangs in forked children; use runtime/thread_pool.hpp",
    ),
    (
        "compiler",
        ["src/", "include/", "python/src/"],
        ["src/numerics/dialect/"],
        SOURCES,
        CONDITION + "(?:" + COMPILERS + ")",
        "only src/numerics/dialect asks which compiler or vendor it is",
    ),
    (
        "print",
        ["src/", "include/"],
        [],
        SOURCES,
        r"\bstd::(?:cout|cerr|clog)\b|(?<!\w)f?printf\s*\(|\babort\s*\(|\bstd::(?:exit|terminate)\b",
        "the library never prints and never ends the process; throw or return an error",
    ),
    (
        "flags",
        [""],
        ["cmake/numeric_flags.cmake"],
        ("CMakeLists.txt", ".cmake"),
        r"-ff(?:p-contract|ast-math|inite-math)|-f(?:no-)?(?:associative-math|unsafe-math\w*|math-errno|trapping-math|rounding-math)|"
        r"-Ofast|--?fmad|-prec-(?:div|sqrt)|--?use_fast_math|-ftz|-f(?:no-)?hip-fp32\w*|-f(?:no-)?gpu-flush\w*",
        "floating-point flags live in cmake/numeric_flags.cmake",
    ),
]


def place_matches(path, rule):
    _, places, excepted, suffixes, _, _ = rule
    return (
        path.startswith(tuple(places))
        and not any(path.startswith(name) or path.endswith(name) for name in excepted)
        and path.endswith(suffixes)
    )


def check(path, text):
    found = []
    if path.endswith(SOURCES):
        text = common.code_only(text)
    else:
        text = re.sub(r"#[^\n]*", common.blank, text)
    for rule in RULES:
        if not place_matches(path, rule):
            continue
        for match in re.finditer(rule[4], text, re.MULTILINE):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{path}:{line}: [{rule[0]}] '{match.group(0).strip()}': {rule[5]}")
    return found


DIALECT = "src/numerics/arith/a.h"
BAD = [
    (DIALECT, "template <class T> void f();", "[C++]"),
    (DIALECT, "void f(int& x);", "[C++]"),
    (DIALECT, "y = std::min(a, b);", "[C++]"),
    ("src/backends/simt/a.h", "namespace samebits {", "[C++]"),
    (DIALECT, "y = expf(x);", "[libm]"),
    ("src/numerics/elementary/a.h", "y = fmin(a, b);", "[libm]"),
    ("src/backends/cuda/a.cu", "y = sqrtf(x);", "[libm]"),
    ("src/estimators/boosting/a.cpp", "y = std::exp(x);", "[libm]"),
    ("src/backends/cpu/a.cpp", "y = __builtin_fmaf(a, b, c);", "[builtin]"),
    ("src/estimators/boosting/a.cpp", "int k = rand();", "[random]"),
    ("src/estimators/boosting/a.cpp", "std::mt19937 engine;", "[random]"),
    ("src/estimators/boosting/a.cpp", "std::unordered_map<int, int> m;", "[order]"),
    ("src/backends/cuda/a.cu", "atomicAdd((float*)p, v);", "[float atomics]"),
    ("src/numerics/elementary/exp.h", "sb_f32 c = 0x1.8p-1;", "[f64]"),
    ("src/numerics/elementary/exp.h", "x = x * 0.5;", "[f64]"),
    ("src/estimators/boosting/a.cpp", "std::thread worker;", "[threads]"),
    ("src/estimators/boosting/a.cpp", "auto t = std::chrono::steady_clock::now();", "[clock]"),
    ("src/backends/cpu/a.cpp", "#pragma omp parallel for", "[openmp]"),
    ("src/runtime/a.cpp", "#if defined(__CUDACC__)", "[compiler]"),
    ("src/backends/cpu/a.cpp", "#ifdef __AVX512F__", "[compiler]"),
    ("include/samebits/a.hpp", "#if __GNUC__ > 12", "[compiler]"),
    ("src/runtime/a.cpp", 'std::cerr << "x";', "[print]"),
    ("src/backends/cpu/CMakeLists.txt", "add_compile_options(-ffast-math)", "[flags]"),
    ("cmake/other.cmake", "set(x -ffp-contract=off)", "[flags]"),
    ("src/backends/hip/CMakeLists.txt", "set(x -fgpu-flush-denormals-to-zero)", "[flags]"),
]
GOOD = [
    (DIALECT, "/* std::exp(x) would be wrong */ y = sb_exp_f32(x) + sb_fma_f32(a, b, c);"),
    ("src/numerics/elementary/exp.h", "sb_f32 c = 0x1.8p-1f * 0.5f;"),
    ("src/numerics/elementary/exp_f64.h", "sb_f64 c = 0x1.8p-1;"),
    ("src/numerics/dialect/dialect.h", "#if defined(__CUDACC__)\ny = __builtin_fmaf(a, b, c);"),
    ("src/runtime/cpu_features.cpp", "#if defined(__x86_64__)\n#ifdef __cplusplus\nstd::mutex m;"),
    ("src/runtime/a.cpp", '// #ifdef __GNUC__\nthrow Error("std::cout");'),
    ("cmake/numeric_flags.cmake", "set(_fp -ffp-contract=off)"),
    ("cmake/other.cmake", "# -ffp-contract=off is set in numeric_flags.cmake"),
]

if __name__ == "__main__":
    selected = [
        name
        for name in common.files(*SOURCES, "CMakeLists.txt", ".cmake")
        if not name.startswith(("tools/", "tests/"))
    ]
    common.main("forbidden tokens", check, selected, BAD, GOOD)
