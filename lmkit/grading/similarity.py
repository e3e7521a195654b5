"""Submissions that are more alike than chance: for a human to look at, never a verdict.

Code is compared token by token, without comments and with a student's own names taken for one, in overlapping runs of
tokens (Schleimer, Wilkerson and Aiken, "Winnowing", SIGMOD 2003, without the thinning: a class is small). Runs of the
released stub and runs that many in the class share say nothing and are left out; rare ones count most. Answers that are the
same but for names and layout count as one in that, so that a ring does not make its own code common.
"""

import ast
import builtins
import hashlib
import heapq
import io
import keyword
import math
import tokenize
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from lmkit.grading.definitions import LONGEST_PARSED
from lmkit.grading.notebook_files import NotLetIn, find_notebook, parse, read_file, readable
from lmkit.grading.release import read_notebook, released_path
from lmkit.student.bindings import MAGIC, parsed

RUN = 12  # tokens
COMMON = 0.15  # of the class: a run that more have is common
SAME = 0.9  # of the runs of both together: the same code
SKETCH = 64  # smallest fingerprints, by which most pairs are told apart at once
FEWEST = 20  # runs of one's own, below which there is too little to compare
KNOWN = set(dir(builtins)) | set(keyword.kwlist)


@dataclass(frozen=True)
class Pair:
    """Two submissions that are alike.

    Attributes:
        first, second: the students.
        share: of the smaller one's own code that stands in the other one too, rare code weighted most; 0 to 1.
        both: of the code of the two together, what both have; 0 to 1.
        runs: how many runs of tokens they share.
        lines: some lines, as written, that hardly anybody else has.
    """

    first: str
    second: str
    share: float
    both: float
    runs: int
    lines: tuple[str, ...]


def tokens(source: str, known: set[str]) -> list[str]:
    """The source without comments, layout and names of the student's own."""
    kept: list[str] = []
    if MAGIC.search(source):
        try:
            parsed(source if len(source) <= LONGEST_PARSED else "!")  # of a longer one nobody waits for the parser
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            source = MAGIC.sub("", source)  # IPython's own lines: a quote in one may have no end
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.NAME:
                attribute = bool(kept) and kept[-1] == "."
                kept.append(token.string if attribute or token.string in known else "v")
            elif token.type == tokenize.STRING:
                kept.append("s")
            elif token.type in (tokenize.NUMBER, tokenize.OP):
                kept.append(token.string)
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass  # what came before counts
    return kept


def runs(source: str, known: set[str]) -> set[bytes]:
    """Fingerprints of all runs of tokens in a source."""
    found = tokens(source, known)
    return {_hash(found[i : i + RUN]) for i in range(max(0, len(found) - RUN + 1))}


def _hash(run: list[str]) -> bytes:
    return hashlib.blake2b("\0".join(run).encode(), digest_size=8).digest()


def compare(sources: dict[str, list[str]], stub: list[str], least: float = 0.5) -> list[Pair]:
    """Pairs of students whose own code is alike, the most alike first.

    Args:
        sources: each student's code cells.
        stub: the released code cells.
        least: the smallest share that is listed.
    """
    known = KNOWN.union(*(_given_names(cell) for cell in stub))
    given = set().union(*(runs(cell, known) for cell in stub)) if stub else set()
    own = {
        student: set().union(*(runs(c, known) for c in cells)) - given for student, cells in sources.items() if cells
    }
    groups = same_code(own)
    first = {group[0]: own[group[0]] for group in groups}
    have = Counter(run for found in first.values() for run in found)
    common = max(3, COMMON * len(first))
    holders: dict[bytes, list[str]] = defaultdict(list)
    for student, found in first.items():
        for run in found:
            if have[run] <= common:
                holders[run].append(student)
    weight = {run: math.log(max(2, len(first)) / have[run]) + 1 for run in holders}
    mass: Counter = Counter()
    count: Counter = Counter()
    shared: Counter = Counter()
    shared_runs: Counter = Counter()
    for run, students in holders.items():
        for student in students:
            mass[student] += weight[run]
            count[student] += 1
        for pair in combinations(sorted(students), 2):
            shared[pair] += weight[run]
            shared_runs[pair] += 1
    lines = _rare_lines(sources, stub, set(first), common)

    def both_have(a: str, b: str) -> tuple[str, ...]:
        return tuple(sorted(lines[a] & lines[b], key=lambda line: (-len(line), line))[:3])

    def both(a: str, b: str) -> float:
        return len(own[a] & own[b]) / len(own[a] | own[b])

    pairs = []
    for (a, b), together in shared.items():
        share = together / min(mass[a], mass[b])
        if share >= least and min(count[a], count[b]) >= FEWEST:
            pairs.append(Pair(a, b, min(1.0, share), both(a, b), shared_runs[a, b], both_have(a, b)))
    for group in groups:
        for a, b in combinations(group, 2):
            together = len(own[a] & own[b])
            share = together / min(len(own[a]), len(own[b]))
            pairs.append(Pair(a, b, share, both(a, b), together, both_have(a, b)))
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.runs, pair.first, pair.second))


def same_code(own: dict[str, set[bytes]]) -> list[list[str]]:
    """Groups of students whose code is the same but for names, layout and trifles; most groups have one member.

    Args:
        own: each student's fingerprints. Who has fewer than ``FEWEST`` is in nobody's group.
    """
    groups: list[list[str]] = []
    sketches: list[set[bytes]] = []
    for student, found in sorted(own.items()):
        sketch = set(heapq.nsmallest(SKETCH, found))
        place = len(groups)
        for i, group in enumerate(groups) if len(found) >= FEWEST else ():
            if len(sketch & sketches[i]) >= len(sketch) / 2:
                other = own[group[0]]
                if len(found & other) >= SAME * len(found | other):
                    place = i
                    break
        if place == len(groups):
            groups.append([])
            sketches.append(sketch)
        groups[place].append(student)
    return groups


def rings(pairs: list[Pair]) -> list[list[str]]:
    """Groups of three or more students with the same code, the largest first."""
    found: list[set[str]] = []
    for pair in pairs:
        if pair.both >= SAME:  # who has all that another one has, and more, has no ring with him
            near = [group for group in found if {pair.first, pair.second} & group]
            found = [group for group in found if group not in near] + [{pair.first, pair.second}.union(*near)]
    return sorted((sorted(group) for group in found if len(group) > 2), key=lambda group: (-len(group), group))


def _given_names(source: str) -> set[str]:
    """Names that a released cell defines or imports; everything else a student may rename."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return set()
    defined = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    return defined | {alias.asname or alias.name for node in imports for alias in node.names}


def _rare_lines(
    sources: dict[str, list[str]], stub: list[str], counted: set[str], common: float
) -> dict[str, set[str]]:
    """Each student's lines, comments included, that few of those counted have."""
    given = {line.strip() for cell in stub for line in cell.splitlines()}
    lines = {
        s: {x.strip() for c in cells for x in c.splitlines() if len(x.strip()) > 15} - given
        for s, cells in sources.items()
    }
    have = Counter(line for student, found in lines.items() if student in counted for line in found)
    return {student: {line for line in found if have[line] <= common} for student, found in lines.items()}


def read_class(homework: str, course: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Code cells of everybody's submission, without what the release has word for word, and the release's own.

    Raises:
        ValueError: if there is no such homework, or nobody has handed in.
    """
    release = read_notebook(released_path(homework, course))
    stub = [cell.source for cell in release.cells if cell.cell_type == "code"]
    sources = {}
    for folder in sorted((course / "submitted").glob(f"*/{homework}")):
        try:
            path, _ = find_notebook(folder, homework)
            cells = parse(read_file(path))
        except (NotLetIn, OSError):
            continue
        sources[readable(folder.parent.name)] = [
            c["source"] for c in cells if c["type"] == "code" and c["source"] not in stub
        ]
    if not sources:
        raise ValueError(f"homework: got {homework!r}, expected submissions in submitted/<student>/{homework}/")
    return sources, stub
