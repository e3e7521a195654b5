"""The instructor's side: releasing homework, grading it with nbgrader, and the answers that the tests must tell apart.

Nothing else in ``lmkit`` imports this. nbgrader runs a submission's code with the rights of whoever grades: what is here
makes grading fair and feedback useful, it does not stop a student who means to cheat or to harm.
"""

from pathlib import Path

COURSE = Path(__file__).resolve().parents[2]  # the directory of nbgrader_config.py, solutions/ and homeworks/
