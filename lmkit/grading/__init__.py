"""The instructor's side: releasing homework, grading it with nbgrader, and the answers that the tests must tell apart.

Nothing else in ``lmkit`` imports this. A submission's code runs in a sandbox (``sandbox``, ``namespaces``, ``worker``), the tests
run apart from it (``tester``, ``proxies``), and only data passes between the two (``channel``, ``codec``). ``grader`` puts them
together for one submission, ``preprocessor`` for nbgrader, ``batch`` for a class.
"""

import sys
from pathlib import Path

# Where it is installed, jsonschema (behind nbformat) has it compile a grammar of web addresses: a second for each process.
sys.modules.setdefault("rfc3987_syntax", None)
COURSE = Path(__file__).resolve().parents[2]  # the directory of nbgrader_config.py, solutions/ and homeworks/
