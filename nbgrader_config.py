"""nbgrader for this course: `nbgrader autograde hw1_ngram` and the rest work from this directory."""

import warnings
from pathlib import Path

from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
)
from sqlalchemy.exc import SAWarning

from lmkit.grading.feedback import FeedbackExporter
from lmkit.grading.markup import TEMPLATES, notebook_code, notebook_markdown
from lmkit.grading.plugins import GatedExporter, LogGrading
from lmkit.grading.preprocessor import GradeInSandbox

COURSE = Path(__file__).resolve().parent
c = get_config()  # noqa: F821  nbgrader puts get_config here

c.CourseDirectory.course_id = "language-models"
c.CourseDirectory.root = str(COURSE)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "homeworks"
# Never copied, neither to students nor beside a submission.
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    "*.pyc",
    "__pycache__",
    "feedback",
    "wrong_answers",
    "right_answers",
    "rubric.md",
    "equivalent_mutants.txt",
]
# Two processes may write at a time: wait for the other one instead of giving up after 5 s.
c.CourseDirectory.db_url = f"sqlite:///{COURSE / 'gradebook.db'}?timeout=60"

# Hidden tests draw their inputs from this: one line that only this course's instructors know (or LMKIT_COURSE_SECRET).
# c.Grading.secret = "…"
# What one submission may use; the other limits stand in lmkit/grading/sandbox.py.
c.Grading.cell_seconds = 60  # computing time of a cell
c.Grading.test_seconds = 30  # of a test
c.Grading.total_seconds = 600  # wall clock of everything
# Where there is no bubblewrap, grading refuses to start. This runs students' code with your rights; every report says so.
# c.GradeInSandbox.unsafe_no_sandbox = True

# A deleted test cell comes back and is graded, instead of waiting for a manual grade for ever.
c.OverwriteCells.add_missing_cells = True

# nbgrader's own queries, three remarks for every student.
warnings.filterwarnings("ignore", "Object of type <Submitted", SAWarning)

c.Autograde.autograde_preprocessors = [
    GradeInSandbox,
    IgnorePattern,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
    LogGrading,
]
# What is no notebook is graded as an empty one, and says so; it stops nobody.
c.Autograde.exporter_class = GatedExporter

# One page for each student, with formulas and without a network; hidden tests stay hidden.
c.GenerateFeedback.exporter_class = FeedbackExporter
c.GenerateFeedback.preprocessors = []
# Formgrader too: students' Markdown is not live there, and formulas need no network.
c.HTMLExporter.filters = {"markdown2html": notebook_markdown, "highlight_code": notebook_code}
c.HTMLExporter.extra_template_basedirs = TEMPLATES
c.HTMLExporter.sanitize_html = True
