"""The book's build: what is stale is executed again, what is broken never turns green."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

PAGE = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, name: python3}
---
# A page

```{code-cell} ipython3
from lmkit.second import VALUE
print("the value is", VALUE)
```
"""


@pytest.fixture
def book(tmp_path):
    """A small book of its own with the course's build script: (its folder, a function that builds it)."""
    (tmp_path / "book").mkdir()
    shutil.copy(ROOT / "book/build.py", tmp_path / "book")
    shutil.copytree(ROOT / "book/_ext", tmp_path / "book/_ext")
    shutil.copytree(ROOT / "book/_static", tmp_path / "book/_static")
    for name in ("_config.yml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "book/references.bib").touch()
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/index\nchapters:\n  - file: book/page\n")
    (tmp_path / "book/index.md").write_text("# Front\n")
    (tmp_path / "book/page.md").write_text(PAGE)
    (tmp_path / "lmkit").mkdir()
    (tmp_path / "lmkit/__init__.py").touch()
    (tmp_path / "lmkit/first.py").write_text("VALUE = 41\n")
    (tmp_path / "lmkit/second.py").write_text("from lmkit.first import VALUE\n")

    def build():
        environment = {"PYTHONPATH": str(tmp_path), "PATH": str(Path(sys.executable).parent), "HOME": str(tmp_path)}
        command = [sys.executable, str(tmp_path / "book/build.py")]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)

    return tmp_path, build


def shown(root):
    return (root / "_build/html/book/page.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_change_deep_in_the_package_reaches_the_page(book):
    root, build = book
    first = build()
    assert first.returncode == 0, first.stdout + first.stderr
    assert "the value is 41" in shown(root) and "Executing 1 of 1" in first.stdout
    again = build()
    assert again.returncode == 0 and "Executing 0 of 1" in again.stdout
    (root / "lmkit/first.py").write_text("VALUE = 42\n")
    changed = build()
    assert changed.returncode == 0 and "Executing 1 of 1" in changed.stdout
    assert "the value is 42" in shown(root) and "the value is 41" not in shown(root)


@pytest.mark.slow
def test_a_broken_chapter_stays_red_until_it_is_mended(book):
    root, build = book
    (root / "lmkit/first.py").write_text("VALUE = 1 / 0\n")
    for _ in range(2):
        broken = build()
        assert broken.returncode == 1 and "ZeroDivisionError" in broken.stderr and "NOT built" in broken.stderr
    (root / "lmkit/first.py").write_text("VALUE = 41\n")
    assert build().returncode == 0 and "the value is 41" in shown(root)


@pytest.mark.slow
def test_a_warning_stays_red_until_it_is_mended(book):
    root, build = book
    (root / "book/page.md").write_text(PAGE + "\nA {doc}`nowhere`.\n")
    for _ in range(2):
        broken = build()
        assert broken.returncode == 1 and "nowhere" in broken.stderr
        assert not (root / "_build/html").exists()
    (root / "book/page.md").write_text(PAGE)
    assert build().returncode == 0 and "the value is 41" in shown(root)


def test_a_page_that_is_missing_is_named(book):
    root, build = book
    (root / "book/page.md").unlink()
    missing = build()
    assert missing.returncode == 1 and "book/page.md" in missing.stderr


def test_imports_are_followed_through_the_package():
    spec = importlib.util.spec_from_file_location("build", ROOT / "book/build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    assert build.imported_modules("from lmkit import ngram\nimport numpy\n%matplotlib inline") == {
        "lmkit",
        "lmkit.ngram",
    }
    names = {path.stem for path in build.module_files({"lmkit.ngram"})}
    assert {"ngram", "ngram_counts", "language_model"} <= names and "transformer" not in names
