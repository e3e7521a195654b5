"""nbgrader for this course: `nbgrader autograde hw1_ngram` and the rest work from this directory."""

import os
import warnings
from pathlib import Path

from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    Execute,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    SaveAutoGrades,
)
from sqlalchemy.exc import SAWarning

from lmkit.grading.preprocessors import FairScores, HideHiddenTests

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
]
# Two processes may write at a time: wait for the other one instead of giving up after 5 s.
c.CourseDirectory.db_url = f"sqlite:///{COURSE / 'gradebook.db'}?timeout=60"

# An endless loop costs its author one test, and the class a minute.
c.Execute.timeout = 60
c.Execute.interrupt_on_timeout = True
_too_long = "this cell did not finish in time and was stopped: is there a loop without an end?"
c.Execute.error_on_timeout = {"ename": "CellTimeoutError", "evalue": _too_long, "traceback": [_too_long]}
os.environ.setdefault("OMP_NUM_THREADS", "1")  # kernels inherit it
# The first is nbgrader's own; the second keeps the kernel's remarks about its loopback port out of the log.
c.Execute.extra_arguments = ["--HistoryManager.hist_file=:memory:", "--IPKernelApp.log_level=ERROR"]

# A deleted test cell comes back and is graded, instead of waiting for a manual grade for ever.
c.OverwriteCells.add_missing_cells = True

# nbgrader's own queries, three remarks for every student.
warnings.filterwarnings("ignore", "Object of type <Submitted", SAWarning)

c.Autograde.autograde_preprocessors = [
    Execute,
    FairScores,
    IgnorePattern,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.GenerateFeedback.preprocessors = [GetGrades, HideHiddenTests, CSSHTMLHeaderPreprocessor]
