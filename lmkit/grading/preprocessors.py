"""Two nbgrader preprocessors: scores that mean what they say, and feedback without the hidden tests."""

import math
import re

from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests, NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution


def is_test(cell: NotebookNode) -> bool:
    """Whether nbgrader grades the cell by running it."""
    return cell.cell_type == "code" and is_grade(cell) and not is_solution(cell)


class FairScores(NbGraderPreprocessor):
    """Makes the outputs of the test cells say what nbgrader is to score; runs right after ``Execute``.

    nbgrader 0.9 scores anything on stderr as 0, a harmless warning included, and shown results that it cannot read as a
    number (``np.int64(3)``, ``nan``, text) as full marks. Here a warning is ordinary output, a numpy or torch scalar is
    its number, and what is no number from 0 to the cell's points is an error.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Rewrites the outputs of one test cell."""
        if is_test(cell):
            points = float(cell.metadata.nbgrader["points"])
            cell.outputs = [_fair(output, points) for output in cell.outputs]
        return cell, resources


def _fair(output: NotebookNode, points: float) -> NotebookNode:
    if output.output_type == "stream":
        output.name = "stdout"
    elif output.output_type == "execute_result":
        shown = output.data.get("text/plain", "")
        scalar = re.fullmatch(r"[\w.]+\((.*)\)", shown)  # np.int64(3), tensor(3.)
        try:
            score = float(scalar[1] if scalar else shown)
        except ValueError:
            score = math.nan
        if not 0 <= score <= points:
            message = f"the test cell shows {shown[:80]!r} as its score, not a number from 0 to {points:g}"
            return NotebookNode(output_type="error", ename="InvalidScore", evalue=message, traceback=[message])
        output.data["text/plain"] = repr(score)
    return output


class HideHiddenTests(ClearHiddenTests):
    """Takes hidden tests out of feedback: out of the cells, and out of the tracebacks, which quote them.

    What remains of a failed test is its message, and those frames of the traceback that lie in the student's own cells.
    """

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Cleans one notebook."""
        self.test_counts = {cell.execution_count for cell in nb.cells if is_test(cell)}
        return super().preprocess(nb, resources)

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Cleans one cell."""
        if not is_test(cell):
            return cell, resources
        if self._remove_hidden_test_region(cell):
            cell.source = cell.source.rstrip() + "\n# … and hidden tests"
        for output in cell.outputs:
            if output.output_type == "error":
                own = [frame for frame in output.traceback if self._in_own_cell(frame)]
                output.traceback = [*own, f"{output.ename}: {output.evalue}"]
        return cell, resources

    def _in_own_cell(self, frame: str) -> bool:
        place = re.match(r"\s*(?:Cell )?In\s?\[(\d+)\]", strip_ansi(frame))
        return place is not None and int(place[1]) not in self.test_counts
