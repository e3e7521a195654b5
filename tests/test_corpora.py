"""The texts are what they claim to be."""

import os
from collections import Counter

import pytest

from lmkit import corpora


def test_cows_eat():
    after = Counter(line.split("cows eat ")[1].split()[0] for line in corpora.COWS)
    assert after == {"corn": 4, "grass": 3, "hay": 2, "if": 1, "which": 1}


def test_python_docs_are_prose():
    text = corpora.python_docs()
    assert 300_000 < len(text) < 600_000 and "::=" not in text and text.isascii() is not None
    assert corpora.python_docs() is text


def test_tagged_words_include_the_corrected_determiner():
    assert ("their", "d", None) in corpora.TAGGED[2]
    assert [t.tag for t in corpora.TAGGED[0]] == ["n", "v", "p", "d", "n"]
    assert [t.word for t in corpora.TAGGED[0]] == [t.word for t in corpora.TAGGED[1]]


def test_text_that_is_not_utf8(tmp_path):
    path = tmp_path / "latin1.txt"
    path.write_bytes("caf\xe9 au lait".encode("latin-1"))
    with pytest.raises(ValueError, match="latin1.txt is not UTF-8 text: byte 3 is 0xe9"):
        corpora.read_text(path)


def test_missing_and_wrong_tiny_shakespeare(tmp_path, monkeypatch):
    monkeypatch.setenv("LMKIT_DATA_DIR", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="LMKIT_DATA_DIR is .* go online once"):
        corpora.tiny_shakespeare()
    (tmp_path / "tinyshakespeare.txt").write_text("To be, or not")
    with pytest.raises(ValueError, match="is not Tiny Shakespeare"):
        corpora.tiny_shakespeare()


def test_no_network_says_both_ways_out(tmp_path, monkeypatch):
    pooch = pytest.importorskip("pooch")
    monkeypatch.delenv("LMKIT_DATA_DIR", raising=False)

    def offline(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setattr(pooch, "retrieve", offline)
    with pytest.raises(FileNotFoundError, match="no network.*LMKIT_DATA_DIR.*go online once"):
        corpora.tiny_shakespeare()


@pytest.mark.skipif(
    "LMKIT_DATA_DIR" not in os.environ, reason="LMKIT_DATA_DIR does not name a folder with Tiny Shakespeare"
)
def test_tiny_shakespeare():
    text = corpora.tiny_shakespeare()
    assert len(text) == 1_115_394 and text.startswith("First Citizen:")


def test_too_small_a_grammar():
    with pytest.raises(ValueError, match="at least 3"):
        corpora.course_grammar(2)
