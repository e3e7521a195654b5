"""Plugs the grader into ``nbgrader autograde``, in the place of the preprocessor that runs notebooks in a kernel."""

import hashlib
from pathlib import Path

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Unicode

from lmkit.grading import COURSE
from lmkit.grading.grader import grade_notebook
from lmkit.grading.marking import annotate, not_run
from lmkit.grading.master import Master
from lmkit.grading.outcome import Kind
from lmkit.grading.pair import Pair
from lmkit.grading.plugins import GATE
from lmkit.grading.settings import course_secret, limits

_warm: dict[tuple, Pair] = {}  # nbgrader makes a new preprocessor for every notebook; the processes stay


class GradeInSandbox(NbGraderPreprocessor):
    """Runs a submission's cells in the sandbox and the gradebook's tests against it, and writes what nbgrader scores."""

    unsafe_no_sandbox = Bool(
        False, help="Run students' code with your own rights where there is no sandbox. Every report will say so."
    ).tag(config=True)
    source_directory = Unicode(
        str(COURSE / "solutions"), help="Where the source notebooks are, with solutions and hidden tests."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Grades one submission."""
        about = resources["nbgrader"]
        pair = self._pair(about["db_url"], about["assignment"], about["notebook"])
        gate = nb.metadata.pop(GATE, {})
        content = nbformat.writes(nb).encode("utf-8", "replace")
        content_hash = gate.get("hash") or hashlib.sha256(content).hexdigest()
        if gate.get("refused"):
            kind, sentence = gate["refused"]
            hashes = (content_hash, pair.secret, self.unsafe_no_sandbox)
            outcome = not_run(pair.master, about["student"], Kind(kind), sentence, *hashes)
        else:
            outcome = grade_notebook(nb, pair, about["student"], content_hash)
        resources["lmkit_outcome"] = outcome
        if outcome.kind != "graded":
            self.log.warning("%s: %s. %s", about["student"], outcome.kind, outcome.sentence)
        return annotate(nb, pair.master, outcome), resources

    def _pair(self, url: str, homework: str, notebook: str) -> Pair:
        path = Path(self.source_directory) / homework / f"{notebook}.ipynb"
        with Gradebook(url) as gradebook:
            recorded = gradebook.find_notebook(notebook, homework)
            master = Master.from_notebook(homework, nbformat.read(path, as_version=4), recorded)
        secret, most = course_secret(self.config), limits(self.config)
        key = (master, secret, most, self.unsafe_no_sandbox)
        if key not in _warm:
            while _warm:
                _warm.popitem()[1].close()
            if self.unsafe_no_sandbox:
                self.log.warning("There is no sandbox: students' code runs with your rights.")
            _warm[key] = Pair(master, secret, most, self.unsafe_no_sandbox)
        return _warm[key]
