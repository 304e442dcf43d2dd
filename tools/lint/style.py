"""Sizes and characters: files of at most 600 lines, functions of at most 60, ASCII.

Exceptions are in exceptions.txt.
"""

import ast
import re

import common

FILE_LINES = 600
FUNCTION_LINES = 60
CXX = (".h", ".hpp", ".cpp", ".cu", ".cuh", ".hip", ".c")
TEXT = (*CXX, ".py", ".sh", ".cmake", ".txt", ".toml", ".md", ".yaml", ".yml", "dev", ".ci/run")
CONTROL = re.compile(r"^\s*(?:\}?\s*else\b|if\b|for\b|while\b|switch\b|do\b|catch\b|try\b)")
NOT_FUNCTION = re.compile(
    r"^\s*(?:inline\s+)?namespace\b|\b(?:namespace|struct|class|enum|union|extern)\b[^()]*$"
)


def exceptions():
    """{"path" or "path:function": reason}"""
    table = {}
    for line in common.read("tools/lint/exceptions.txt").splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            table[name] = reason.strip()
    return table


def cxx_functions(text):
    """(name, first line, last line) of every function body; a lambda belongs to the function around it."""
    code = common.code_only(text)
    code = re.sub(r"^[ \t]*#[^\n]*(?:\\\n[^\n]*)*", common.blank, code, flags=re.MULTILINE)
    stack, inside, head = [], 0, 0
    for position, char in enumerate(code):
        if char == "{":
            before = code[head:position]
            is_function = (
                not inside and ")" in before and not CONTROL.match(before) and not NOT_FUNCTION.search(before)
            )
            name = re.search(r"([~\w:]+)\s*\(", before)
            start = head + len(before) - len(before.lstrip())
            stack.append((is_function, name.group(1) if name else "?", start))
            inside += is_function
            head = position + 1
        elif char == "}":
            if not stack:
                continue
            is_function, name, start = stack.pop()
            inside -= is_function
            head = position + 1
            if is_function:
                yield name, code.count("\n", 0, start) + 1, code.count("\n", 0, position) + 1
        elif (
            char == ";" and not inside and code.count("(", head, position) == code.count(")", head, position)
        ):
            head = position + 1


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            start = first.end_lineno if documented else node.lineno  # a docstring is no code
            yield node.name, start, node.end_lineno


def check(path, text, excepted=None):
    excepted = exceptions() if excepted is None else excepted
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.isascii():
            odd = next(char for char in line if not char.isascii())
            found.append(f"{path}:{number}: non-ASCII character U+{ord(odd):04X}")
        if path.endswith(CXX) and line.endswith((" ", "\t")):
            found.append(f"{path}:{number}: blank at the end of the line")
    lines = text.count("\n")
    if lines > FILE_LINES and path not in excepted and path.endswith((*CXX, ".py", ".sh", "dev")):
        found.append(f"{path}:1: file of {lines} lines, at most {FILE_LINES}; split it")
    functions = (
        cxx_functions(text) if path.endswith(CXX) else python_functions(text) if path.endswith(".py") else []
    )
    for name, start, end in functions:
        size = end - start + 1
        if size > FUNCTION_LINES and f"{path}:{name}" not in excepted:
            found.append(
                f"{path}:{start}: function {name} of {size} lines, at most {FUNCTION_LINES}; split it"
            )
    return found


LONG = "  x = 1;\n" * 61
BAD = [
    ("src/a.cpp", "int f(int x) {\n" + LONG + "}\n", "function f"),
    ("src/a.cpp", "namespace s {\nstruct A {\n  int g() const {\n" + LONG + "  }\n};\n}\n", "function g"),
    ("src/a.cpp", "void f() {\n  auto g = [](int x) {\n" + LONG + "  };\n}\n", "function f"),
    ("src/a.cpp", "int x;\n" * 601, "file of"),
    ("python/a.py", "def f():\n" + "    x = 1\n" * 61, "function f"),
    ("src/a.cpp", "// caf\u00e9\n", "U+00E9"),
]
GOOD = [
    ("src/a.cpp", "namespace s {\n" + "int f() { return 1; }\n" * 100 + "}\n"),
    ("src/a.cpp", "struct A {\n" + "  int x;\n" * 100 + "};\n"),
    ("src/a.cpp", "static const int table[] = {\n" + "  1,\n" * 100 + "};\n"),
    ("python/a.py", 'def f():\n    """Long.\n' + "\n" * 80 + '    """\n    return 1\n'),
]

if __name__ == "__main__":
    common.main("style", check, common.files(*TEXT), BAD, GOOD)
