"""What ``nbgrader_config.py`` says about grading itself: the course secret and the limits, section ``Grading``."""

import os
from dataclasses import fields

from traitlets.config import Config

from lmkit.grading.sandbox import Limits

DEMO_SECRET = "known to everybody who has read this"
VARIABLE = "LMKIT_COURSE_SECRET"
LEAST = {"memory": 1 << 28, "processes": 8}  # what an interpreter needs, and a notebook of two tests; else 1
MOST = {"cell_seconds": 10**6, "test_seconds": 10**6, "total_seconds": 10**6, "processes": 10**6}  # else 2^50 bytes


def course_secret(config: Config) -> str:
    """What hidden tests draw their inputs from: the environment, then ``c.Grading.secret``, then the demo's.

    Raises:
        ValueError: if it is no text.
    """
    secret = os.environ.get(VARIABLE) or config.get("Grading", {}).get("secret") or DEMO_SECRET
    if not isinstance(secret, str):
        raise ValueError(f"c.Grading.secret: got {secret!r}, expected a text")
    return secret


def is_secret(config: Config) -> bool:
    """Whether somebody has set a secret of the course's own."""
    return course_secret(config) != DEMO_SECRET


def limits(config: Config) -> Limits:
    """The limits of one submission: ``c.Grading.cell_seconds`` and the other names of ``Limits``, where they are set.

    Raises:
        ValueError: if one is no whole number within ``LEAST`` and ``MOST``, or no limit.
    """
    chosen = {name: value for name, value in config.get("Grading", {}).items() if name != "secret"}
    names = [field.name for field in fields(Limits)]
    for name, value in chosen.items():
        if name not in names:
            raise ValueError(f"c.Grading.{name}: there is no such setting, only secret, {', '.join(names)}")
        least, most = LEAST.get(name, 1), MOST.get(name, 1 << 50)
        if type(value) is not int or not least <= value <= most:
            unit = " of bytes" * (name not in MOST)
            raise ValueError(f"c.Grading.{name}: got {value!r}, expected a whole number{unit}, {least} to {most}")
    return Limits(**chosen)
