"""What else nbgrader's own commands take from here: submissions read through the gate, and a line in the audit log."""

from pathlib import Path

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from lmkit.grading import audit
from lmkit.grading.gate import admit
from lmkit.grading.notebook_files import NotLetIn, hash_of, read_file

GATE = "lmkit_gate"  # in the notebook's metadata between nbgrader's two passes; no submission's own metadata gets there


class GatedExporter(NotebookExporter):
    """``c.Autograde.exporter_class``: what is no notebook, or must not be let in, is graded as an empty one."""

    def from_filename(
        self, filename: str, resources: ResourcesDict | None = None, **kwargs: object
    ) -> tuple[str, ResourcesDict]:
        """Reads a submission in nbgrader's first pass; in the second one the notebook is ours already."""
        if not getattr(self.parent, "_sanitizing", False):
            return super().from_filename(filename, resources, **kwargs)
        about, directory = resources["nbgrader"], self.parent.coursedir
        folder = directory.format_path(directory.release_directory, ".", about["assignment"])
        release = nbformat.read(Path(folder) / f"{about['notebook']}.ipynb", as_version=4)
        content, refused = b"", None
        try:
            content = read_file(Path(filename))
            admitted = admit(content, release)
            notebook = admitted.notebook
            for note in admitted.notes:
                self.log.warning("%s: %s", about["student"], note)
        except NotLetIn as error:
            notebook, refused = release, [error.kind, str(error)]
        with Gradebook(about["db_url"]) as book:  # nbgrader then finds nothing to overwrite, and warns of nothing
            recorded = book.find_notebook(about["notebook"], about["assignment"])
            cells = {cell.name: cell.source for cell in recorded.source_cells if cell.locked}
        for cell in notebook.cells:
            cell.source = cells.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
        notebook.metadata[GATE] = NotebookNode(hash=hash_of(content), refused=refused)
        resources["metadata"] = {"name": about["notebook"], "path": str(Path(filename).parent)}
        return self.from_notebook_node(notebook, resources, **kwargs)


class LogGrading(NbGraderPreprocessor):
    """Adds the grading to the audit log; the last of ``c.Autograde.autograde_preprocessors``."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Writes the line of the outcome that ``GradeInSandbox`` left in ``resources``."""
        audit.append(Path(self.parent.parent.coursedir.root), resources["lmkit_outcome"])
        return nb, resources
