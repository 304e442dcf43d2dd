"""What the lint scripts share: the list of files, C++ text without comments, the main program.

A lint is a function check(path, text) -> list of findings ("path:line: what, do what"). It has examples of
bad text that it must catch and of good text that it must leave alone; they run before the tree is read, so
that a lint that has gone blind fails.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = ("build/", ".venv/", "out/", "conformance/")


def files(*suffixes):
    """Paths (relative, with /) of tracked and new files with one of the suffixes; of every file when none is given."""
    command = ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"]
    listing = subprocess.run(command, capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        names = listing.stdout.splitlines()
    else:
        names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")]
    names = [name for name in names if not name.startswith(SKIPPED) and (ROOT / name).is_file()]
    return sorted(name for name in names if not suffixes or name.endswith(suffixes))


def read(name):
    return (ROOT / name).read_bytes().decode("utf-8", errors="replace")


def blank(match):
    """The matched text with everything but line ends turned into spaces."""
    return re.sub(r"[^\n]", " ", match.group(0))


TEXT = re.compile(
    r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"' + r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", re.DOTALL
)
COMMENT_OR_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|" + TEXT.pattern, re.DOTALL)


def without_comments(text):
    """C++ text with comments blanked; strings stay. Line numbers are kept."""
    return COMMENT_OR_TEXT.sub(lambda m: blank(m) if m.group(0).startswith("/") else m.group(0), text)


def code_only(text):
    """C++ text with comments, strings and characters blanked."""
    return COMMENT_OR_TEXT.sub(blank, text)


def main(name, check, selected, bad, good):
    """Self-test, then the tree. bad: [(path, text, word in the finding)], good: [(path, text)]."""
    for path, text, word in bad:
        found = check(path, text)
        if not any(word in finding for finding in found):
            sys.exit(f"{name}: self-test failed: {text!r} in {path} should be reported ({word}), got {found}")
    for path, text in good:
        found = check(path, text)
        if found:
            sys.exit(f"{name}: self-test failed: {text!r} in {path} is fine, got {found}")
    findings = [finding for path in selected for finding in check(path, read(path))]
    for finding in findings:
        print(finding)
    print(f"{name}: {len(selected)} files, {len(findings)} findings")
    sys.exit(1 if findings else 0)
