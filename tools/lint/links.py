"""Links of the Markdown pages to files of this tree must resolve; so must its paths in backticks."""

import re

import common

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
TREE = re.compile(
    r"`((?:src|include|python|tests|docs|tools|cmake|conformance|benchmarks|examples)/[\w./-]*)`"
)


def check(path, text):
    found = []
    text = re.sub(r"^```.*?^```", common.blank, text, flags=re.DOTALL | re.MULTILINE)
    folder = (common.ROOT / path).parent
    for pattern, base in ((LINK, folder), (TREE, common.ROOT)):
        for match in pattern.finditer(text):
            target = match.group(1)
            if re.match(r"\w+:", target) or "NAME" in target or (base / target).exists():
                continue
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{path}:{line}: '{target}' does not exist")
    return found


BAD = [
    ("README.md", "see [this](docs/not_there.md)", "does not exist"),
    ("docs/a.md", "see `src/not_there/a.cpp`", "does not exist"),
]
GOOD = [("README.md", "[a](https://example.org) [b](LICENSE) `src/numerics`\n```\n[c](gone.md)\n```\n")]

if __name__ == "__main__":
    common.main("links", check, common.files(".md"), BAD, GOOD)
