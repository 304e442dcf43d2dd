"""What every benchmark shares: machine, threads, fair alternating runs in fresh processes, memory, tables, JSON.

Rules of all benchmarks here: the answer is checked before a time is shown; every measured run is a fresh
process, so that memory is its own and no library warms another one; libraries alternate (A B C A B C ...), so
that a slow minute of the machine hits all of them; the median counts.
"""

import contextlib
import datetime
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "SAMEBITS_NUM_THREADS",
)
RESULT_MARK = "BENCHMARK-RESULT "


def machine_info():
    """Processor, memory, system and Python: what a figure means nothing without."""
    processor = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": processor,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(memory / 2**30, 1),
        "system": platform.platform(),
        "python": platform.python_version(),
        "gpus": gpu_names(),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        **samebits_build(),
    }


def samebits_build():
    """Version and commit of the samebits that is measured, when there is one."""
    try:
        import samebits
    except ImportError:
        return {}
    build = samebits.build_info()
    return {
        "samebits_version": build["version"],
        "samebits_commit": build["commit"],
        "samebits_dirty": build["dirty"],
    }


def gpu_names():
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def version(package):
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def install_missing(packages):
    missing = [package for package in packages if version(package) is None]
    if missing:
        subprocess.run([sys.executable, "-m", "pip", "install", *missing], check=True)


def thread_environment(threads):
    """The environment of a process that may use this many threads in every library."""
    environment = dict(os.environ)
    environment.update({name: str(threads) for name in THREAD_VARIABLES})
    return environment


class PeakMemory:
    """Peak resident memory of a stretch of code above what was resident before it, in bytes.

    Linux lets a process reset its own high-water mark; where it does not, ru_maxrss of the whole process is
    used, which is right as long as nothing before the stretch needed more.
    """

    def __enter__(self):
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
        self.before = self._status("VmRSS")
        return self

    def __exit__(self, *error):
        self.peak = self._status("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        self.added = self.peak - self.before
        return False

    @staticmethod
    def _status(key):
        with contextlib.suppress(OSError):
            for line in Path("/proc/self/status").read_text().splitlines():
                if line.startswith(key + ":"):
                    return int(line.split()[1]) * 1024
        return 0


def measure(work):
    """(result, seconds, peak bytes above the baseline, peak bytes of the process) of one call."""
    with PeakMemory() as memory:
        start = time.perf_counter()
        result = work()
        seconds = time.perf_counter() - start
    return result, seconds, memory.added, memory.peak


def send_result(result):
    """Called by a worker process: hands its result (plain data) to the parent."""
    print(RESULT_MARK + json.dumps(result), flush=True)


def run_fresh(script, job, threads):
    """Runs `script --worker JOB` in a fresh process and returns what it sent."""
    command = [sys.executable, str(script), "--worker", json.dumps(job)]
    done = subprocess.run(
        command, env=thread_environment(threads), capture_output=True, text=True, check=False
    )
    for line in done.stdout.splitlines():
        if line.startswith(RESULT_MARK):
            return json.loads(line[len(RESULT_MARK) :])
    raise RuntimeError(
        f"{job.get('library', script)}: worker failed\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    )


def alternate(names, rounds, run_one):
    """{name: [result of each round]}; in every round each name runs once, the first one moves on round by round."""
    results = {name: [] for name in names}
    for number in range(rounds):
        shift = number % len(names)
        for name in names[shift:] + names[:shift]:
            results[name].append(run_one(name))
    return results


def median(values):
    return statistics.median(values)


def print_table(head, rows):
    """Left-aligned first column, right-aligned rest."""
    cells = [head] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
    for number, row in enumerate(cells):
        line = [row[0].ljust(widths[0])] + [row[k].rjust(widths[k]) for k in range(1, len(row))]
        print("  ".join(line).rstrip())
        if number == 0:
            print("  ".join("-" * width for width in widths))


def write_json(path, data):
    """Written beside and renamed, so that no partial file is left."""
    partial = f"{path}.partial"
    with open(partial, "w", encoding="utf-8") as file:
        json.dump(data, file, indent=2)
        file.write("\n")
    os.replace(partial, path)
