"""What ``nbgrader_config.py`` says about grading itself: the course secret and the limits, section ``Grading``."""

import os
from dataclasses import fields

from traitlets.config import Config

from lmkit.grading.sandbox import Limits

DEMO_SECRET = "known to everybody who has read this"
VARIABLE = "LMKIT_COURSE_SECRET"


def course_secret(config: Config) -> str:
    """What hidden tests draw their inputs from: the environment, then ``c.Grading.secret``, then the demo's."""
    return os.environ.get(VARIABLE) or config.get("Grading", {}).get("secret") or DEMO_SECRET


def is_secret(config: Config) -> bool:
    """Whether somebody has set a secret of the course's own."""
    return course_secret(config) != DEMO_SECRET


def limits(config: Config) -> Limits:
    """The limits of one submission: ``c.Grading.cell_seconds`` and the other names of ``Limits``, where they are set.

    Raises:
        ValueError: if one is no positive whole number.
    """
    said = config.get("Grading", {})
    chosen = {field.name: said[field.name] for field in fields(Limits) if field.name in said}
    for name, value in chosen.items():
        if not isinstance(value, int) or value <= 0:
            raise ValueError(f"c.Grading.{name}: got {value!r}, expected a positive whole number")
    return Limits(**chosen)
