import itertools
import math

import numpy as np
import pytest
import torch

from lmkit.seq2seq import (
    SCORES,
    Score,
    Seq2Seq,
    Seq2SeqConfig,
    accuracy_by_length,
    addition_pairs,
    reversal_pairs,
    train_seq2seq,
)

every_score = pytest.mark.parametrize("score", SCORES)


def small(score="additive", alphabet="abc"):
    """An untrained model with large weights, so that its answers differ."""
    model = Seq2Seq(Seq2SeqConfig(alphabet, score, d_state=8, d_embedding=4))
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=generator))
    return model


@every_score
def test_padding_changes_nothing(score):
    model = small(score)
    together, weights = model.greedy(["abcab", "c", ""], max_length=4)
    alone = [model.greedy([source], max_length=4)[0][0] for source in ("abcab", "c", "")]
    assert together == alone
    _, loss = model(["abcab", "c"], ["a", "bcb"])  # 2 and 4 predictions
    losses = [model([s], [t])[1] for s, t in (("abcab", "a"), ("c", "bcb"))]
    torch.testing.assert_close(loss, (2 * losses[0] + 4 * losses[1]) / 6)
    if score != "none":
        np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-6)
        assert (weights[1, :, 2:] == 0).all()  # "c", <eos>, then padding


def test_scores_by_hand():
    generator = torch.Generator().manual_seed(0)
    H, s = torch.randn(2, 3, 4, generator=generator), torch.randn(2, 4, generator=generator)
    for kind in SCORES[1:]:
        score = Score(kind, 4)
        computed = score(score.keys(H), s)
        for b, i in itertools.product(range(2), range(3)):
            h, q = H[b, i], s[b]
            if kind == "additive":
                hidden = torch.tanh(score.W_h.weight @ h + score.W_h.bias + score.W_s.weight @ q)
                expected = score.w_2.weight[0] @ hidden
            elif kind == "dot":
                expected = h @ q
            else:  # hᵀ W s
                expected = h @ score.W.weight.T @ q / (math.sqrt(4) if kind == "scaled_bilinear" else 1)
            torch.testing.assert_close(computed[b, i], expected)


@every_score
def test_forward_is_the_steps_with_the_right_characters_fed_back(score):
    model = small(score)
    logits, loss = model(["ab"], ["ca"])
    source = model.encode(["ab"])
    s, total = source.last, 0.0
    for fed, right in zip([0, *model.ids("ca")[:2]], model.ids("ca"), strict=True):
        step_logits, s, _ = model.step(torch.tensor([fed]), s, source)
        total -= step_logits.log_softmax(-1)[0, right]
    torch.testing.assert_close(loss, total / 3)


def test_without_attention_only_the_last_state_is_seen():
    model = small("none")
    source = model.encode(["abc"])
    changed = source._replace(H=source.H + 1, keys=source.keys + 1)
    for one, other in zip(
        model.step(torch.tensor([0]), source.last, source),
        model.step(torch.tensor([0]), source.last, changed),
        strict=True,
    ):
        assert torch.equal(one, other)


def all_answers(model, source, max_length):
    """Every answer of at most max_length steps with its log-probability, by brute force."""
    found = {}
    for length in range(max_length + 1):
        for letters in itertools.product("abc", repeat=length):
            target = "".join(letters)
            logits, _ = model([source], [target])
            log_p = logits[0].log_softmax(-1)
            steps = [log_p[t, i].item() for t, i in enumerate(model.ids(target))]
            found[target] = sum(steps) if length < max_length else sum(steps[:-1])
    return found


@every_score
def test_a_beam_as_wide_as_everything_finds_the_best_answer(score):
    model = small(score)
    with torch.no_grad():
        model.output.bias[0] = -1e9  # <bos> out of the brute force, as it is out of the search
        exact = sorted(all_answers(model, "bca", 3).items(), key=lambda item: -item[1])
    beam = model.beam_search("bca", width=200, max_length=3)
    assert [text for text, _ in beam[:5]] == [text for text, _ in exact[:5]]
    np.testing.assert_allclose([p for _, p in beam[:5]], [p for _, p in exact[:5]], rtol=1e-4)


@every_score
def test_a_beam_of_one_is_greedy(score):
    model = small(score)
    for source in ("a", "cab", "bbbbbb"):
        assert model.beam_search(source, width=1, max_length=6)[0][0] == model.greedy([source], max_length=6)[0][0]


def test_addition_pairs_are_right_and_disjoint():
    train, test = addition_pairs(2, 3000, 500, seed=1)
    assert (len(train), len(test)) == (3000, 500)
    for source, target in train + test:
        a, b = source[:-1].split("+")
        assert int(target[::-1]) == int(a) + int(b) and max(int(a), int(b)) < 100

    def terms(pairs):
        return {frozenset(source[:-1].split("+")) for source, _ in pairs}

    assert not terms(train) & terms(test)
    assert addition_pairs(2, 3000, 500, seed=1) == (train, test)


def test_reversal_pairs():
    pairs = reversal_pairs("ab", [1, 3], 50, seed=0)
    assert all(target == source[::-1] for source, target in pairs)
    assert {len(source) for source, _ in pairs} == {1, 3}


def test_same_seed_same_run():
    pairs = reversal_pairs("abc", [1, 2, 3], 100, seed=0)
    runs = [train_seq2seq(Seq2Seq(Seq2SeqConfig("abc", d_state=8)), pairs, steps=5) for _ in range(2)]
    assert runs[0] == runs[1] and runs[0][-1] < runs[0][0]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Seq2SeqConfig("aa"), "alphabet"),
        (lambda: Seq2SeqConfig("ab", "cosine"), "score must be one of"),
        (lambda: Seq2SeqConfig("ab", d_state=7), "d_state"),
        (lambda: small().greedy(["abx"]), "'x'"),
        (lambda: small().greedy("abc"), "sources must be a list"),
        (lambda: small().greedy([]), "sources must be a list"),
        (lambda: small()(["a"], ["a", "b"]), "targets"),
        (lambda: small().beam_search("a", width=0), "width"),
        (lambda: addition_pairs(1, 50, 10, 0), "only 55"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.slow
def test_learns_to_add_three_digit_numbers():
    train, test = addition_pairs(3, 40_000, 2_000, seed=0)
    model = Seq2Seq(Seq2SeqConfig("0123456789+="))
    train_seq2seq(model, train, steps=2500, batch_size=64, learning_rate=5e-3)
    answers, _ = model.greedy([source for source, _ in test], max_length=6)
    assert np.mean([answer == target for answer, (_, target) in zip(answers, test, strict=True)]) >= 0.99


@pytest.mark.slow
def test_without_attention_long_sources_are_lost():
    # The shape of Bahdanau, Cho & Bengio (2015), figure 2.
    train = reversal_pairs("abcdefgh", range(1, 13), 20_000, seed=0)
    test = reversal_pairs("abcdefgh", range(1, 13), 1_200, seed=1)
    accuracy = {}
    for score in ("none", "additive"):
        model = Seq2Seq(Seq2SeqConfig("abcdefgh", score, d_state=64, d_embedding=16))
        train_seq2seq(model, train, steps=600, batch_size=64, learning_rate=1e-2)
        accuracy[score] = accuracy_by_length(model, test)
        print(score, accuracy[score])
    assert accuracy["none"][2] > 0.9 and accuracy["none"][12] < 0.3
    assert min(accuracy["additive"].values()) > 0.9
