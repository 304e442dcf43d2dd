"""The build's own compilations, repeated to assembly: what is read is what the build's flags make."""

import json
import pathlib
import shlex
import subprocess
from dataclasses import dataclass, replace

ROOT = pathlib.Path(__file__).resolve().parents[3]
MARKER = pathlib.Path(__file__).with_name("written.h")
OFF = [
    "-DSAMEBITS_TESTS=OFF",
    "-DSAMEBITS_PYTHON=OFF",
    *(f"-DSAMEBITS_{p}=OFF" for p in ("CUDA", "HIP", "OPENCL")),
]


@dataclass
class Unit:
    """One source with the command that compiles it, without its output."""

    source: pathlib.Path
    command: list
    folder: str
    isa: str = ""  # of a build of the kernels

    @property
    def name(self):
        text = (
            self.source.relative_to(ROOT / "src").as_posix()
            if ROOT in self.source.parents
            else self.source.name
        )
        return f"{text} ({self.isa})" if self.isa else text

    def run(self, *more):
        command = [*self.command, *more]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{self.name}: {shlex.join(command)}\n{done.stderr[-2000:]}")
        return done.stdout

    def assembly(self, *more):
        return self.run(*more, "-S", str(self.source), "-o", "-")

    def marked(self):
        return self.assembly("-include", str(MARKER), "-Wno-psabi", "-w")

    def macros(self):
        lines = self.run("-dM", "-E", "-x", "c++", "/dev/null").splitlines()
        words = (line.split(maxsplit=2) for line in lines)
        return {w[1]: w[2] if len(w) > 2 else "" for w in words}

    def with_flags(self, drop=(), add=()):
        return replace(self, command=[word for word in self.command if word not in drop] + list(add))

    def with_compiler(self, compiler, *flags):
        at = next(i for i, word in enumerate(self.command) if not word.endswith("ccache"))
        return replace(self, command=[*self.command[:at], compiler, *flags, *self.command[at + 1 :]])

    def with_source(self, source):
        return replace(self, source=source)


def configure(folder, *options):
    """A build folder that is only asked for its commands."""
    command = [
        "cmake",
        "-S",
        str(ROOT),
        "-B",
        str(folder),
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        *OFF,
        *options,
    ]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads((folder / "compile_commands.json").read_text())


def units(commands):
    """The translation units of libsamebits."""
    found = []
    for entry in commands:
        words = shlex.split(entry["command"])
        at = words.index("-o")
        words = words[:at] + words[at + 2 :]
        source = pathlib.Path(entry["file"])
        words = [word for word in words if word not in ("-c", entry["file"], "-g")]
        isa = next((word.split("=")[1] for word in words if word.startswith("-DSAMEBITS_ISA=")), "")
        found.append(Unit(source, words, entry["directory"], isa))
    return found
