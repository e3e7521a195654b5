"""The package stays small, its imports go one way, and what is light stays light."""

import ast
import gzip
import io
import re
import subprocess
import sys
import tokenize
from importlib import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

PACKAGE = Path(__file__).parent.parent / "lmkit"
MODULES = sorted(PACKAGE.glob("*.py"))  # without grading

# Lines without docstrings, comments and blanks, of all modules together; may only fall, the aim is 3300.
MOST_CODE = 4022
MOST_LINES = 300  # of a module, whatever they hold


def code_lines(source: str) -> int:
    """How many lines hold code: not blank, no comment, no docstring."""
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in skipped:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


def test_the_counter_counts_code():
    source = '"""Doc.\n\nstring."""\n\n# a comment\nx = """two\nlines"""  # another\n\n\ndef f():\n    """Doc."""\n'
    source += "    return (1,\n        2)\n"
    assert code_lines(source) == 5


def test_the_package_is_small():
    sizes = {path.stem: code_lines(path.read_text(encoding="utf-8")) for path in MODULES}
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:8]
    assert sum(sizes.values()) <= MOST_CODE, f"{sum(sizes.values())} lines of code; most of them in {largest}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_is_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def imports(path: Path) -> set[str]:
    """The modules of lmkit that one imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "lmkit":
            found.update([node.module.split(".")[1]] if "." in node.module else [alias.name for alias in node.names])
        if isinstance(node, ast.Import):
            found.update(a.name.split(".")[1] for a in node.names if a.name.startswith("lmkit."))
    return found


def test_imports_go_one_way():
    """No module imports itself by way of others, and none the instructor's side."""
    graph = {path.stem: imports(path) for path in MODULES}
    assert not [name for name, found in graph.items() if "grading" in found]
    while graph:
        leaves = [name for name, found in graph.items() if not found & set(graph)]
        assert leaves, f"these import each other: {', '.join(sorted(graph))}"
        for name in leaves:
            del graph[name]


@pytest.mark.parametrize("module", ["lmkit", "lmkit.checks", "lmkit.language_model", "lmkit.tokenizers", "lmkit.ngram"])
def test_light_modules_stay_light(module):
    code = f"import sys, {module}; sys.exit('torch' in sys.modules or 'matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_command_explains_itself_without_nbgrader():
    """Which takes longer to load than everything else together."""
    code = "import sys, lmkit.grading.cli; sys.exit('nbgrader' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_widgets_are_as_light_as_is_said():
    text = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    plain, packed = re.search(r"all our widgets with their styles are under (\d+) KB \((\d+) KB\)", text).groups()
    files = [path.read_bytes() for path in (PACKAGE.parent / "book/_static/widgets").iterdir()]
    assert sum(map(len, files)) < 1000 * int(plain) and sum(len(gzip.compress(f)) for f in files) < 1000 * int(packed)


def test_what_is_pinned_installs_on_the_oldest_python():
    """Debian 12 has 3.11.2: with a pin that wants a later one, pip tries for hours to find other versions."""
    pins = re.findall(r"^([\w.-]+)==(\S+)", (PACKAGE.parent / "constraints.txt").read_text(), re.MULTILINE)
    wanted = {}
    for name, version in pins:
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            assert name == "overrides" and sys.version_info >= (3, 12), f"{name}: run `make` to install what is pinned"
            continue  # jupyter_server asks for it on 3.11 only
        assert found.version.split("+")[0] == version, f"{name}: run `make` to install what is pinned"
        wanted[name] = found.metadata.get("Requires-Python") or ""
    assert {name: range_ for name, range_ in wanted.items() if not SpecifierSet(range_).contains("3.11.0")} == {}
