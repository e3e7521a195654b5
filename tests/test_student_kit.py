"""The student's kit: what is in it, what is not, and that it works where nothing else is installed."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import nbformat
import pytest

from lmkit.grading import COURSE, student_kit, wheels
from lmkit.grading.answers import notebook_path, read_answers, with_answer
from lmkit.grading.release import homeworks, secret_lines
from lmkit.student.notebooks import released


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """The kit as `make student-kit` writes it."""
    return student_kit.make(target=tmp_path_factory.mktemp("kit"))


@pytest.fixture(scope="module")
def home(kit, tmp_path_factory):
    """A student's machine: the kit unpacked, its wheel installed, of the course's packages nothing else."""
    folder = tmp_path_factory.mktemp("home")
    with zipfile.ZipFile(kit.parent / "student-kit.zip") as archive:
        archive.extractall(folder)
    wheel = next((folder / "student-kit").glob("lmkit-*.whl"))
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", folder / "site", wheel],
        check=True,
    )
    return folder


def python(home, *arguments, **options):
    """Runs Python as that student would: the kit's lmkit comes before the course's."""
    surroundings = {**os.environ, "PYTHONPATH": str(home / "site"), **options}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=home / "student-kit",
        env=surroundings,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_the_zip_is_the_folder_and_the_same_every_time(kit, tmp_path):
    with zipfile.ZipFile(kit.parent / "student-kit.zip") as archive:
        files = {Path(name).name: archive.read(name) for name in archive.namelist()}
    assert files == {path.name: path.read_bytes() for path in kit.iterdir()}
    expected = {"README.md", "LICENSE", "requirements.txt", *(f"{name}.ipynb" for name in homeworks())}
    assert {name for name in files if not name.startswith("lmkit-")} == expected
    again = student_kit.make(target=tmp_path)
    assert (again.parent / "student-kit.zip").read_bytes() == (kit.parent / "student-kit.zip").read_bytes()


@pytest.mark.slow
def test_the_kit_holds_released_notebooks_and_only_what_they_offer(kit):
    for name in homeworks():
        assert (kit / f"{name}.ipynb").read_bytes() == (COURSE / "homeworks" / name / f"{name}.ipynb").read_bytes()
    with zipfile.ZipFile(next(kit.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        assert not [name for name in names if "grading" in name or "solutions" in name]
        for name in names:
            if name.endswith(".py") and name not in ("lmkit/__init__.py", "lmkit/__main__.py"):
                assert wheel.read(name) == (COURSE / name).read_bytes()
        assert wheel.read("lmkit/student/released/python.txt").decode() == "{}.{}".format(*sys.version_info)
    assert "lmkit/homework.py" in names and "lmkit/transformer.py" not in names and "lmkit/ngram.py" not in names


@pytest.mark.slow
def test_no_line_of_a_solution_test_answer_or_rubric_is_in_the_kit(kit):
    archive = kit.parent / "student-kit.zip"
    assert student_kit.leaks(archive) == []
    # Once more by other means: the longest lines of each source of answers, in the unpacked bytes of everything.
    everything = b""
    for place, text in student_kit._texts("kit", archive.read_bytes()):
        everything += f"{place}\n{text}\n".encode()
    for name in homeworks():
        hidden, shown = secret_lines(notebook_path(name))
        folder = notebook_path(name).parent
        texts = [line for line in hidden - shown if len(line) > 60]
        texts += [line for path in folder.glob("wrong_answers/*.py") for line in path.read_text().splitlines()[:1]]
        texts += [line for line in (folder / "rubric.md").read_text().splitlines() if len(line) > 60]
        assert len(texts) > 100
        assert not [line for line in texts if line.encode() in everything]


@pytest.mark.slow
@pytest.mark.parametrize("where", ["source", "outputs", "metadata", "attachments", "own file", "wheel"])
def test_a_leak_is_found_wherever_it_is(kit, tmp_path, where):
    hidden, shown = secret_lines(notebook_path("hw1_ngram"))
    line = max(hidden - shown, key=len)
    folder = tmp_path / "student-kit"
    shutil.copytree(kit, folder)
    path = folder / "hw1_ngram.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    code = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    text = next(cell for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    if where == "source":
        text["source"] += ["\n", line]
    elif where == "outputs":
        code["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["before\n", line + "\n"]}]
    elif where == "metadata":
        code["metadata"]["was"] = {"source": f"x\n{line}\ny"}
    elif where == "attachments":
        text["attachments"] = {"a.txt": {"text/plain": base64.b64encode(line.encode()).decode()}}
    elif where == "own file":
        (folder / "notes.txt").write_text(line, encoding="utf-8")
    else:
        with zipfile.ZipFile(next(folder.glob("*.whl")), "a") as wheel:
            wheel.writestr("lmkit/more.py", f"# {line}\n")
    path.write_text(json.dumps(notebook), encoding="utf-8")
    student_kit._zip(folder, tmp_path / "planted.zip")
    assert student_kit.leaks(tmp_path / "planted.zip")


def test_what_gives_something_away_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(student_kit, "leaks", lambda *_: ["a line"])
    with pytest.raises(RuntimeError, match="give away"):
        student_kit.make(target=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_some_homeworks_only(tmp_path):
    folder = student_kit.make(["hw1_ngram"], target=tmp_path)
    assert [path.stem for path in folder.glob("*.ipynb")] == ["hw1_ngram"]
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        assert [n for n in wheel.namelist() if n.endswith(".ipynb")] == ["lmkit/student/released/hw1_ngram.ipynb"]
    with pytest.raises(ValueError, match="hw99.*expected one of hw1_ngram"):
        student_kit.make(["hw99"], target=tmp_path)


def test_requirements_are_pinned_and_name_no_build_of_one_machine(kit):
    wheel, *pins = (kit / "requirements.txt").read_text().split()
    assert (kit / wheel).is_file()
    assert {pin.split("==")[0] for pin in pins} >= {"numpy", "jupyterlab", "ipykernel"}
    assert all(pin.count("==") == 1 and "+" not in pin for pin in pins)


def test_the_readme_names_what_is_there(kit):
    text = (kit / "README.md").read_text(encoding="utf-8")
    assert all(f"{name}.ipynb" in text for name in homeworks())
    assert all(word in text for word in ("JupyterLab", "VS Code", "Colab", "lmkit check hw1_ngram.ipynb"))
    assert not [word for word in ("NOTEBOOK", "LIST", "TORCH", "<!--", "solutions", "github.com") if word in text]
    assert ("PyTorch" in text) == ("torch" in (kit / "requirements.txt").read_text())
    assert "It is for `hw4_attention.ipynb`, `hw5_transformer.ipynb`. On Linux" in text


@pytest.mark.slow
def test_the_wheel_stands_alone(home):
    code = "import sys, lmkit.corpora, lmkit.student.cli; "
    code += "print(lmkit.__file__, 'nbgrader' in sys.modules, 'torch' in sys.modules)"
    ended = python(home, "-c", code)
    assert ended.stdout.split() == [str(home / "site" / "lmkit" / "__init__.py"), "False", "False"], ended.stderr
    assert python(home, "-c", "import lmkit.grading").returncode == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "from lmkit.evaluation import perplexity",
        "from lmkit import evaluation",
        "import lmkit.ngram",
        "import lmkit.grading",
    ],
)
def test_at_home_as_in_grading_a_notebook_may_not_import_what_it_shall_write(home, line):
    for before in ("", "from lmkit.corpora import course_grammar\n"):
        ended = python(home, "-c", before + line)
        assert (
            "ImportError: lmkit." in ended.stderr
            and "this homework does not offer it; what it asks for you write yourself" in ended.stderr
        )


def test_the_notebook_that_a_kernel_runs_decides(home, monkeypatch):
    from lmkit.student import kit as at_home
    from lmkit.student.notebooks import Released

    known = {
        "hw1": Released("hw1", (), ("lmkit.corpora", "lmkit.homework")),
        "hw2": Released("hw2", (), ("lmkit.evaluation", "lmkit.homework")),
    }
    monkeypatch.setenv("JPY_SESSION_NAME", "/somewhere/hw2 (1).ipynb")
    assert at_home.offered_here(known) == {"lmkit.evaluation", "lmkit.homework"}
    monkeypatch.setenv("JPY_SESSION_NAME", "Untitled.ipynb")
    assert at_home.offered_here(known) == {"lmkit.corpora", "lmkit.evaluation", "lmkit.homework"}
    assert at_home.offered_here(known | {"hw3": Released("hw3", (), None)}) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [["-m", "lmkit"], ["-c", "from lmkit.student.cli import main; raise SystemExit(main())"]]
)
def test_a_right_answer_passes_what_the_student_sees(home, command):
    answer = next(a for a in read_answers("hw1_ngram", "right") if a.name == "plain_dicts")
    source = with_answer(nbformat.read(notebook_path("hw1_ngram"), as_version=4), answer)
    written = {cell.id: cell.source for cell in source.cells if cell.metadata.get("nbgrader", {}).get("solution")}
    path = home / "student-kit" / "hw1_ngram.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = written.get(cell.id, cell.source)
    nbformat.write(notebook, home / "student-kit" / "mine.ipynb")
    ended = python(home, *command, "check", "mine.ipynb", "--json")
    report = json.loads(ended.stdout)
    assert ended.returncode == 0 and report["passed"] and report["homework"] == "hw1_ngram", report
    assert sum(test["points"] for test in report["tests"]) == 80 and report["remarks"] == []


def test_the_repository_itself_knows_its_homeworks():
    assert set(released()) == set(homeworks())


@pytest.mark.slow
def test_the_readers_wheel_holds_what_chapters_import_and_nothing_of_grading(tmp_path):
    path = wheels.write_readers_wheel(tmp_path)
    assert wheels.write_readers_wheel(tmp_path) == path
    with zipfile.ZipFile(path) as wheel:
        wheel.extractall(tmp_path)
        assert not [n for n in wheel.namelist() if n.startswith(("lmkit/grading", "lmkit/student/", "solutions"))]
    modules = sorted(f"lmkit.{module.stem}" for module in (tmp_path / "lmkit").glob("[!_]*.py"))
    assert modules == sorted(f"lmkit.{module.stem}" for module in (COURSE / "lmkit").glob("[!_]*.py"))
    code = f"import lmkit, {', '.join(modules)}; print(lmkit.__file__); lmkit.corpora.course_grammar()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == str(tmp_path / "lmkit/__init__.py"), done.stderr
    declared = tomllib.loads((COURSE / "pyproject.toml").read_text())["project"]["dependencies"]
    assert sorted(re.match(r"\w+", one)[0] for one in declared) == list(wheels.READERS_NEEDS)
