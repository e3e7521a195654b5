import dataclasses

import numpy as np
import pytest
import torch

from lmkit import corpora, tagging
from lmkit.batches import IGNORE, pad_sequences
from lmkit.recurrent import RecurrentConfig
from lmkit.tagging import SequenceClassifier, SequenceTagger
from tests.doors import Door, bad_values

SMALL = RecurrentConfig(vocab_size=9, d_embedding=5, d_hidden=6, bidirectional=True)
TOKENS, TAGS, CLASSES = (
    torch.tensor([[1, 2, 3], [4, 5, IGNORE]]),
    torch.tensor([[0, 1, 2], [3, 3, -1]]),
    torch.tensor([1, 2]),
)
DOORS = [
    door
    for model, targets, name in [
        (SequenceTagger(SMALL, 4), TAGS, "SequenceTagger"),
        (SequenceClassifier(SMALL, 4), CLASSES, "SequenceClassifier"),
    ]
    for door in [
        Door(type(model), lambda: {"config": SMALL, "n_classes": 4, "seed": 0},
             {"config": [*bad_values("object", None), dataclasses.replace(SMALL, d_embedding=6, tied=True)],
              "n_classes": "count", "seed": "seed"}, f"tagging.{name}"),
        Door(model.forward, lambda targets=targets: {"tokens": TOKENS, "targets": targets},
             {"tokens": [*bad_values("id_tensor 9", TOKENS), torch.tensor([[1, IGNORE, 2]] * 2), TOKENS * 0 + IGNORE],
              "targets": [*bad_values("optional id_tensor 4", targets),
                          targets[:1], targets * 0 + IGNORE]}, f"tagging.{name}.forward"),
        Door(model.predict, lambda: {"sequences": [[1, 2], [3]]},
             {"sequences": [*bad_values("sequences 9", None), [], [[1], []]]}, f"tagging.{name}.predict"),
    ]
]  # fmt: skip
DIRECTIONS = pytest.mark.parametrize("bidirectional", [False, True])


def train(model, tokens, targets, steps, lr=0.02, batch_size=64):
    rng = np.random.default_rng(0)
    optimiser = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(steps):
        rows = torch.from_numpy(rng.permutation(len(tokens))[:batch_size])
        _, loss = model(tokens[rows], targets[rows])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return loss.item()


def as_ids(sentences):
    """Word ids, tag ids, and the number of both, of sentences of (word, tag, …)."""
    words = {w: k for k, w in enumerate(sorted({token[0] for s in sentences for token in s}))}
    tags = {t: k for k, t in enumerate(sorted({token[1] for s in sentences for token in s}))}
    x = [np.array([words[token[0]] for token in s]) for s in sentences]
    y = [np.array([tags[token[1]] for token in s]) for s in sentences]
    return x, y, words, tags


def test_tags_the_course_grammar():
    sentences = corpora.course_grammar().sample_annotated(600, seed=0)
    x, y, words, tags = as_ids(sentences)
    ambiguous = words["open"]  # students open a book; the garden is open
    assert len({y[s][t] for s in range(len(x)) for t in np.flatnonzero(x[s] == ambiguous)}) == 2
    tagger = SequenceTagger(RecurrentConfig(len(words), d_embedding=16, d_hidden=24, bidirectional=True), len(tags))
    short = [k for k in range(500) if len(x[k]) < 25]
    train(tagger, pad_sequences([x[k] for k in short]), pad_sequences([y[k] for k in short]), steps=60)
    held_out = [k for k in range(500, 600) if len(x[k]) < 25]
    right = np.concatenate([p == y[k] for k, p in zip(held_out, tagger.predict([x[k] for k in held_out]), strict=True)])
    assert len(right) > 300
    assert right.mean() > 0.995


GARDEN_PATHS = [  # what follows "flies" decides whether it is a verb or a noun
    [token.split("/") for token in f"{first}/n {rest}".split()]
    for first in ("time", "fruit", "house", "summer")
    for rest in ("flies/v like/p an/d arrow/n", "flies/n bite/v the/d man/n")
]


@DIRECTIONS
def test_only_the_right_context_tells_verb_from_noun(bidirectional):
    x, y, words, tags = as_ids(GARDEN_PATHS)
    config = RecurrentConfig(len(words), d_embedding=8, d_hidden=12, bidirectional=bidirectional)
    tagger = SequenceTagger(config, len(tags))
    train(tagger, pad_sequences(x), pad_sequences(y), steps=120)
    right = np.concatenate([p == q for p, q in zip(tagger.predict(x), y, strict=True)])
    flies = np.concatenate(x) == words["flies"]
    assert right[~flies].all()
    assert right[flies].mean() == (1.0 if bidirectional else 0.5)


def test_samples_one_and_two_of_the_lecture_have_the_same_words():
    """So no tagger can get both right: the loss on the two ambiguous words cannot fall below log 2."""
    x, y, words, tags = as_ids(corpora.TAGGED)
    assert x[0].tolist() == x[1].tolist() and (y[0] != y[1]).sum() == 2
    tagger = SequenceTagger(RecurrentConfig(len(words), d_embedding=8, d_hidden=12, bidirectional=True), len(tags))
    loss = train(tagger, pad_sequences(x), pad_sequences(y), steps=200)
    assert loss == pytest.approx(4 * np.log(2) / sum(map(len, x)), rel=0.05)


@DIRECTIONS
def test_classifies_by_a_word_anywhere(bidirectional):
    """The class is whether word 3 occurs, first or last: the classifier must read the whole."""
    rng = np.random.default_rng(0)
    sequences = [rng.integers(4, 9, size=rng.integers(1, 9)) for _ in range(200)]
    classes = torch.from_numpy(rng.integers(2, size=200))
    for s, c in zip(sequences, classes, strict=True):
        if c:
            s[rng.integers(len(s))] = 3
    model = SequenceClassifier(dataclasses.replace(SMALL, bidirectional=bidirectional), 2)
    train(model, pad_sequences(sequences[:150]), classes[:150], steps=80)
    assert (model.predict(sequences[150:]) == classes[150:].numpy()).mean() > 0.95


@DIRECTIONS
@pytest.mark.parametrize("kind", [SequenceTagger, SequenceClassifier])
def test_padding_changes_nothing(kind, bidirectional):
    model = kind(dataclasses.replace(SMALL, bidirectional=bidirectional, n_layers=2), 4).double()
    sequences = [[1, 2, 3, 4, 5], [6], [7, 8, 1]]
    together = model(pad_sequences(sequences))[0]
    for row, s in zip(together, sequences, strict=True):
        alone = model(pad_sequences([s]))[0][0]
        torch.testing.assert_close(row[: len(s)] if kind is SequenceTagger else row, alone, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("at", ["first", "last"])
def test_bidirectional_classifier_sees_both_ends(at):
    model = SequenceClassifier(SMALL, 3)
    changed = [7, 2, 3, 4] if at == "first" else [1, 2, 3, 7]
    scores = model(pad_sequences([[1, 2, 3, 4], changed]))[0]
    assert (scores[0] - scores[1]).abs().max() > 1e-4


@pytest.mark.parametrize("kind", [SequenceTagger, SequenceClassifier])
def test_predictions_of_many_are_those_of_each_and_few_at_a_time(kind, monkeypatch):
    monkeypatch.setattr(tagging, "AT_ONCE", 3)
    model, rng = kind(SMALL, 4, seed=2).double(), np.random.default_rng(0)
    many = [rng.integers(0, 9, size=rng.integers(1, 8)) for _ in range(11)]
    sizes, encode = [], model.encoder.forward
    monkeypatch.setattr(model.encoder, "forward", lambda tokens: sizes.append(tokens.shape) or encode(tokens))
    together = model.predict(many)
    lengths = sorted(map(len, many))
    assert sizes == [(3, lengths[2]), (3, lengths[5]), (3, lengths[8]), (2, lengths[10])]
    assert all((one == model.predict([words])[0]).all() for one, words in zip(together, many, strict=True))


def test_loss_is_the_mean_over_tagged_words():
    tagger = SequenceTagger(SMALL, 4)
    tokens, targets = pad_sequences([[1, 2, 3], [4]]), pad_sequences([[0, 1, 2], [3]])
    targets[0, 1] = IGNORE
    scores, loss = tagger(tokens, targets)
    log_p = torch.log_softmax(scores, dim=-1)
    expected = -(log_p[0, 0, 0] + log_p[0, 2, 2] + log_p[1, 0, 3]) / 3
    torch.testing.assert_close(loss, expected)


def test_sequences_without_a_class_do_not_count():
    classifier = SequenceClassifier(SMALL, 4)
    scores, loss = classifier(TOKENS, torch.tensor([IGNORE, 3]))
    torch.testing.assert_close(loss, -torch.log_softmax(scores, dim=-1)[1, 3])


def test_a_tag_of_padding_is_refused():
    with pytest.raises(ValueError, match="targets has a tag where tokens has padding"):
        SequenceTagger(SMALL, 4)(TOKENS, TAGS.clamp(min=0))


@pytest.mark.parametrize("kind", [SequenceTagger, SequenceClassifier])
def test_dropout_is_for_training_and_not_for_predicting(kind):
    model, plain = kind(dataclasses.replace(SMALL, dropout=0.9), 4), kind(SMALL, 4)
    sequences = [[k % 9] * 5 for k in range(30)]
    assert np.array_equal(model.predict(sequences), plain.predict(sequences)) and model.training
