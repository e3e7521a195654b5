"""How a grading process is started: before the batch that it is for has read its gradebook.

Importing nbgrader takes a second or more, and what a homework's processes need stands in the notebook that students get. So
this module imports nothing that is slow.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path

from lmkit.grading.packages import Needs


@dataclass(frozen=True)
class Started:
    """A process that runs ``lmkit.grading.station``.

    Attributes:
        process: reads lines from its standard input.
        told: the first of them: the processor to stay on, what the homework needs, whether there shall be no sandbox.
    """

    process: subprocess.Popen
    told: bytes


def cores() -> list[int]:
    """The processors that this process may use."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def first_line(core: int | None, needs: Needs, unsafe: bool) -> bytes:
    """What a grading process is told first."""
    return json.dumps([core, asdict(needs), unsafe]).encode() + b"\n"


def start(told: bytes) -> Started:
    """Starts a process and tells it so."""
    # -P: no module of the folder that the caller is in, which may be a submission's.
    command = [sys.executable, "-P", "-m", "lmkit.grading.station"]
    ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    # In a session of its own, where a terminal's Ctrl-C does not reach it: the batch ends it, or the end of its input.
    process = subprocess.Popen(command, **ends, env={**os.environ, "OMP_NUM_THREADS": "1"}, start_new_session=True)
    write(process, told)
    return Started(process, told)


def write(process: subprocess.Popen, line: bytes) -> None:
    """Writes a line; that the process has ended shows where its answer is read."""
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(line)
        process.stdin.flush()


def start_ahead(homework: str, course: Path, jobs: int | None, only: Collection[str], unsafe: bool) -> list[Started]:
    """The processes that a batch will most likely want; none, if the homework is not where homeworks usually are."""
    places, started = cores(), []
    # What is wrong, the batch itself says.
    with contextlib.suppress(OSError, ValueError, AttributeError, KeyError, TypeError, RecursionError):
        needs = Needs.of_file(course / "homeworks" / homework / f"{homework}.ipynb")
        submitted = sum(1 for _ in (course / "submitted").glob(f"*/{homework}"))
        for i in range(min(jobs or len(places), len(set(only)) or submitted, submitted)):
            started.append(start(first_line(places[i % len(places)], needs, unsafe)))
    return started
