"""A notebook's interpreter without a kernel: IPython as students know it, magics included, that shows nothing by itself."""

import ast
import builtins
import contextlib
import importlib.util
import re
import sys
import types
from collections.abc import Callable
from typing import Any

from lmkit.student.absent import LeaveOut
from lmkit.student.bindings import tree

LONGEST_NAME = 1000  # characters of a code's name that are looked at
# Magics that hand a cell to another program; with "%%script false" many skip one. IPython's own would begin a thread, which is
# not there after a fork: the next such cell would wait for it.
# IPython knows cmd on Windows only, Colab alone knows shell.
OTHERS = ("script", "bash", "sh", "shell", "perl", "ruby", "python", "python2", "python3", "pypy", "cmd")
_NO_NAMES = re.compile(
    rf"\s*(%%!|%%(?:timeit|writefile|file|html|HTML|javascript|js|latex|markdown|svg|SVG|system|sx|{'|'.join(OTHERS)}|skip\w*)\b)"
    r"([^\n]*)"
)


def make_shell(cell: Callable[[], str]) -> Any:
    """An ``InteractiveShell`` whose cells run as ``__main__`` and whose code is named ``<cell ID>``; ``cell()`` gives the id.

    Whoever runs a cell of the notebook calls ``begin`` before.
    """
    from IPython.core.compilerop import CachingCompiler
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.text import SList

    class Compiler(CachingCompiler):
        def get_code_name(self, *_: Any) -> str:
            return f"<cell {cell()}>"

    class Shell(InteractiveShell):
        compiler_class = Compiler

        def enable_gui(self, gui: Any = None) -> None:
            """There are no windows."""

        def enable_matplotlib(self, gui: Any = None) -> tuple:
            """Figures are kept anyway."""
            return "agg", "agg"

        def showtraceback(self, *_: Any, **__: Any) -> None:
            """Whoever runs the cell says it in a sentence."""

        showsyntaxerror = showindentationerror = showtraceback

        def transform_ast(self, node: ast.AST) -> ast.AST:
            """What stands above a statement that is nested too deep still runs."""
            try:
                return super().transform_ast(node)
            except RecursionError:  # IPython's own look at the whole cell, after ours
                return node

        def run_line_magic(self, name: str, line: str, _stack_depth: int = 1) -> Any:
            """A magic; one that wants what is only on a student's own machine says so and raises nothing."""
            if self.find_line_magic(name) is None:  # an extension's, or that of Jupyter's kernel: %autosave
                print(f"%{name}: left out, there is no such magic here")
                return None
            try:
                return super().run_line_magic(name, line, _stack_depth + 1)
            except Exception as error:
                if name not in ("load_ext", "reload_ext", "conda", "mamba", "micromamba", "uv"):
                    raise
                print(f"%{name}: {error}")

        def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
            """A magic of a whole cell; below one of an extension that is not here the cell runs as it is, if it is Python.

            Not below ``%%skip``, with which a student keeps an old attempt from running, unless what it says is false.
            """
            known, skip = self.find_cell_magic(name), name.startswith("skip")
            if name in OTHERS and (known is None or getattr(known, "__module__", "").startswith("IPython.")):
                print(f"%%{name}: not run, there is no shell here")
                return None
            if known is None and skip and self._is_true(line):
                print(f"%%{name}: this cell does not run")
                return None
            if known is not None or self.find_line_magic(name) or (tree(cell) is None and not skip):
                return super().run_cell_magic(name, line, cell)
            print(f"%%{name}: left out, there is no such magic here")
            return self.run_cell(f"#\n{cell}", store_history=False).raise_error()  # each line keeps its number

        def _is_true(self, line: str) -> bool:
            """Whether ``%%skip`` skips: by itself, and before what is true or no expression."""
            try:
                return bool(eval(self.var_expand(line), self.user_ns))
            except Exception:
                return True

        def system(self, command: str) -> None:
            """``!ls`` and ``%pip install``: in a notebook of their own these raise nothing, whatever the shell says."""
            print(f"!{str(command)[:200]}: not run, there is no shell here")

        system_piped = system_raw = system

        def getoutput(self, command: str, split: bool = True, depth: int = 0) -> SList | str:
            """``files = !ls``"""
            self.system(command)
            return SList() if split else ""

    _plain_bars()
    _nobody_types.__name__ = _nobody_types.__qualname__ = "input"  # in messages, too
    builtins.input = _nobody_types
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    shell = Shell(user_module=main, user_ns=vars(main))
    type(shell.displayhook).write_output_prompt = lambda hook: None
    shell.history_manager.enabled = False
    shell.run_line_magic("colors", "NoColor")
    leave_out = LeaveOut()
    shell.ast_transformers.append(leave_out)
    shell.begin = leave_out.begin
    return shell


def _nobody_types(*_: Any, **__: Any) -> str:
    """In the place of ``input``."""
    raise EOFError(
        "input() waits for somebody who types, and nobody does when this is graded: write the value into the cell"
    )


def defines_nothing(source: str) -> str:
    """The magic that a cell begins with, if what such a cell binds is in no notebook; empty if it is, or may be."""
    found = _NO_NAMES.match(source)
    if found is None or not found[1].startswith("%%skip"):
        return found[1] if found else ""
    if "$" in found[2] or "{" in found[2]:  # in whose place IPython puts a value
        return ""
    try:
        return found[1] if ast.literal_eval(found[2][:LONGEST_NAME].strip()) else ""
    except SyntaxError:  # nothing, or the reason in words
        return found[1]
    except Exception:  # what it says is known to the notebook alone
        return ""


def plain(text: str) -> str:
    """A text of any kind as an ordinary one that can be sent: without halves of characters."""
    return str.__str__(text).encode("utf-8", "backslashreplace").decode()


def place_of(error: BaseException) -> list:
    """The last line of a notebook's cell that an error came from, as [cell id, line]; empty if it came from none."""
    place, at = [], BaseException.__traceback__.__get__(error)  # not one of its own making
    with contextlib.suppress(BaseException):  # which names and numbers may be
        while at is not None:
            if cell := _cell_in(at.tb_frame.f_code.co_filename):
                place = [cell, at.tb_lineno or 0]
            at = at.tb_next
        if not place and type(error) in (SyntaxError, IndentationError, TabError):
            cell, line = _cell_in(error.filename), error.lineno
            if cell:
                place = [cell, line if type(line) is int and 0 < line < 1_000_000 else 0]
    return place


def _cell_in(name: str) -> str:
    """The id of the cell whose code has this name; empty for other code. Of a long one the beginning counts."""
    name = plain(str.__getitem__(name, slice(LONGEST_NAME)))
    return name[6:-1] if name.startswith("<cell ") else ""


def _plain_bars() -> None:
    """Without ipywidgets the bars of ``tqdm.notebook`` are a terminal's; its own could be imported, and not used."""
    if importlib.util.find_spec("tqdm") is not None and importlib.util.find_spec("ipywidgets") is None:
        import tqdm.notebook

        class Bar(tqdm.tqdm):
            def __init__(self, *arguments: Any, display: bool = True, **named: Any) -> None:
                super().__init__(*arguments, **named)

        tqdm.notebook.tqdm = tqdm.notebook.tqdm_notebook = Bar
        tqdm.notebook.trange = tqdm.notebook.tnrange = lambda *bounds, **named: Bar(range(*bounds), **named)
