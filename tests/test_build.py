"""The book's build: what is stale is executed again, what is broken never turns green."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

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
    for name in ("_config.yml", "constraints.txt", "book/package.json", "book/package-lock.json"):
        shutil.copy(ROOT / name, tmp_path / name)
    if not (ROOT / "book/node_modules/.lock").is_file():
        pytest.skip("what npm brings is not there: run `make book` first")
    (tmp_path / "book/node_modules").symlink_to(ROOT / "book/node_modules")
    (tmp_path / "book/references.bib").touch()
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/index\nchapters:\n  - file: book/page\n")
    (tmp_path / "book/index.md").write_text("# Front\n")
    (tmp_path / "book/page.md").write_text(PAGE)
    (tmp_path / "lmkit").mkdir()
    (tmp_path / "lmkit/__init__.py").write_text('__version__ = "0"\n')
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
    assert again.returncode == 0 and "Executing 0 of 1" in again.stdout and "Building the site" not in again.stdout
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
        assert not (root / "_build/html").exists()  # no old site to be mistaken for a new one
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


@pytest.mark.slow
def test_a_change_in_static_reaches_the_site_without_running_a_cell(book):
    root, build = book
    assert build().returncode == 0
    sheet = root / "book/_static/course.css"
    sheet.write_text(sheet.read_text(encoding="utf-8") + ".added-by-a-test { color: red }\n", encoding="utf-8")
    again = build()
    assert again.returncode == 0 and "Executing 0 of 1" in again.stdout
    assert "added-by-a-test" in (root / "_build/html/_static/course.css").read_text(encoding="utf-8")
    (root / "_build/html/book/index.html").unlink()  # whoever takes the site away gets it again
    assert build().returncode == 0 and (root / "_build/html/book/index.html").is_file()
    versions = set(re.findall(r"course\.css\?v=(\w+)", shown(root)))
    assert len(versions) == 1 and "the value is 41" in shown(root)


@pytest.mark.slow
def test_a_page_that_is_missing_is_named(book):
    root, build = book
    (root / "book/page.md").unlink()
    missing = build()
    assert missing.returncode == 1 and "book/page.md" in missing.stderr


@pytest.fixture
def script(monkeypatch):
    """The build script as a module."""
    monkeypatch.setenv("LMKIT_DATA_DIR", "")  # `execute` takes it away, and the tests that come after need it
    spec = importlib.util.spec_from_file_location("build", ROOT / "book/build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    return build


def test_what_a_cell_prints_is_one_output_however_it_arrives(script):
    streams = [new_output("stream", name=name, text=text) for name, text in (("stdout", "1/2"), ("stdout", " = 0.5"))]
    figure = new_output("display_data", data={"text/plain": "figure"})
    cell = new_code_cell("", outputs=[*streams, figure, new_output("stream", name="stdout", text="end")])
    script.join_streams(new_notebook(cells=[cell]))
    assert [output.get("text") for output in cell.outputs] == ["1/2 = 0.5", None, "end"]


def test_a_chapter_s_process_writes_nothing(script, tmp_path, monkeypatch):
    """Of two that write into the cache at a time one may find a record without its file, and the build ended."""
    (tmp_path / "page.md").write_text(PAGE.replace("from lmkit.second import VALUE", "VALUE = 42"))
    for name in ("get_cache", "write"):
        monkeypatch.setattr(script, name, None)
    _, notebook = script.execute(tmp_path / "page.md")
    assert notebook.cells[-1].outputs[0].text == "the value is 42\n"


def test_a_kernel_that_dies_is_a_failure_of_its_chapter(script, tmp_path):
    (tmp_path / "page.md").write_text(PAGE.replace("from lmkit.second import VALUE", "import os\nos._exit(1)"))
    _, failure = script.execute(tmp_path / "page.md")
    assert failure.startswith("Kernel died")


def nothing(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


@pytest.mark.parametrize(
    "damage",
    [
        lambda cache: (cache / "global.db").write_text("no database" * 500),
        lambda cache: (cache / "global.db").write_text(""),
        lambda cache: (cache / "global.db").write_bytes((cache / "global.db").read_bytes()[:-4096] + bytes(4096)),
        lambda cache: (cache / "fingerprints.json").write_text('{"page": "ma'),
        lambda cache: (cache / "fingerprints.json").write_text("null"),
        lambda cache: nothing(cache / "executed"),
        lambda cache: next(cache.glob("executed/*/base.ipynb")).write_text("{"),
        lambda cache: (nothing(cache), cache.touch()),
    ],
    ids=["no database", "empty", "its end", "half of it", "null", "no outputs", "half an output", "a file"],
)
def test_a_cache_that_cannot_be_read_is_made_anew(script, damage, tmp_path, monkeypatch, capsys):
    for name, folder in (("ROOT", ""), ("CACHE", "cache"), ("NOTEBOOKS", "notebooks")):
        monkeypatch.setattr(script, name, tmp_path / folder)
    record = tmp_path / "cache/fingerprints.json"
    assert script.read_record(record) == {}
    script.keep(tmp_path / "page.md", 1.0, new_notebook(cells=[new_code_cell("1")]))
    record.write_text('{"page": "mark", "another": "mark"}')
    assert script.read_record(record) == {"page": "mark"} and not capsys.readouterr().out
    damage(tmp_path / "cache")
    assert script.read_record(record) == {} and capsys.readouterr().out.startswith(
        "cache cannot be read and is made anew"
    )
    assert script.read_record(record) == {} and not capsys.readouterr().out


def test_a_second_build_says_that_it_waits_for_the_first(script, tmp_path, monkeypatch):
    monkeypatch.setattr(script, "BUILD", tmp_path / "_build")
    first = """
import importlib.util, sys, time
from pathlib import Path
spec = importlib.util.spec_from_file_location("build", sys.argv[1])
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)
build.BUILD = Path(sys.argv[2])
with build.alone(), build.ProcessPoolExecutor(1) as pool:
    pool.submit(time.sleep, 3600)
    print("at work", flush=True)
    sys.stdin.read()
"""
    command = [sys.executable, "-c", first, str(ROOT / "book/build.py"), str(tmp_path / "_build")]
    at_work = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert at_work.stdout.readline() == "at work\n"
        monkeypatch.setattr("builtins.print", lambda *words, **how: at_work.kill())  # its chapters run on
        with script.alone():
            assert at_work.wait(60) == -signal.SIGKILL
    finally:
        with suppress(ProcessLookupError):
            os.killpg(at_work.pid, signal.SIGKILL)


def test_imports_are_followed_through_the_package(script):
    assert script.imported_modules("from lmkit import ngram\nimport numpy\n%matplotlib inline") == {
        "lmkit",
        "lmkit.ngram",
    }
    names = {path.stem for path in script.module_files({"lmkit.ngram"})}
    assert {"ngram", "ngram_counts", "language_model", "course_grammar"} <= names and "transformer" not in names


def test_the_ladder_s_table_concerns_its_page_alone(script, monkeypatch):
    table = ROOT / "lmkit/data/ladder.json"
    read = type(table).read_bytes
    chapter, page = (
        new_notebook(cells=[new_code_cell(f"import lmkit.ngram\n{code}")]) for code in ("", "'ladder.json'")
    )
    before = [script.fingerprint(notebook) for notebook in (chapter, page)]
    monkeypatch.setattr(type(table), "read_bytes", lambda path: b"" if path == table else read(path))
    after = [script.fingerprint(notebook) for notebook in (chapter, page)]
    assert after[0] == before[0] and after[1] != before[1]


def test_a_page_is_run_as_another_processor_computes(tmp_path):
    source = 'import torch\nassert False, "it is " + torch.backends.cpu.get_cpu_capability()'
    page = PAGE.replace('from lmkit.second import VALUE\nprint("the value is", VALUE)', source)
    (tmp_path / "page.md").write_text(page + "\n```{code-cell} ipython3\n1 / 0\n```\n")
    code = "import sys, pathlib, elsewhere; print(*elsewhere.failures(pathlib.Path(sys.argv[1]), 'SSE4'))"
    command = [sys.executable, "-c", code, str(tmp_path / "page.md")]
    done = subprocess.run(command, cwd=ROOT / "book", capture_output=True, text=True, check=True, timeout=120)
    assert "AssertionError: it is DEFAULT" in done.stdout and "ZeroDivisionError" in done.stdout and not done.stderr
