"""The student's side of a homework: what its answers may import, and ``lmkit check``, which runs the tests that students see.

Part of the student's kit, of which ``lmkit.grading`` is not; nothing here needs nbgrader, and nothing else in ``lmkit`` but
``lmkit.grading`` imports this.
"""
