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
    pair_batches,
    reversal_pairs,
)
from lmkit.training import TrainingConfig, train

every_score = pytest.mark.parametrize("score", SCORES)


def small(score="additive", alphabet="abc"):
    """An untrained model with large weights, so that its answers differ."""
    model = Seq2Seq(Seq2SeqConfig(alphabet, score, d_state=8, d_embedding=4))
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=generator))
    return model


def loss_of(model, sources, targets):
    """Logits and loss on lists of texts."""
    return model(model.tokens(sources), model.tokens(targets))


@every_score
def test_padding_changes_nothing(score):
    model = small(score)
    together, weights = model.greedy(["abcab", "c", ""], max_length=4)
    alone = [model.greedy([source], max_length=4)[0][0] for source in ("abcab", "c", "")]
    assert together == alone
    _, loss = loss_of(model, ["abcab", "c"], ["a", "bcb"])  # 2 and 4 predictions
    losses = [loss_of(model, [s], [t])[1] for s, t in (("abcab", "a"), ("c", "bcb"))]
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
    logits, loss = loss_of(model, ["ab"], ["ca"])
    source = model.encode(model.tokens(["ab"]))
    right = model.tokens(["ca"])[0]
    s, total = source.last, 0.0
    for t, fed in enumerate([0, *right[:2]]):
        step_logits, s, _ = model.step(torch.tensor([fed]), s, source)
        total -= step_logits.log_softmax(-1)[0, right[t]]
        torch.testing.assert_close(logits[:, t], step_logits)
    torch.testing.assert_close(loss, total / 3)


def test_without_attention_only_the_last_state_is_seen():
    model = small("none")
    source = model.encode(model.tokens(["abc"]))
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
            logits, _ = loss_of(model, [source], [target])
            log_p = logits[0].log_softmax(-1)
            steps = [log_p[t, i].item() for t, i in enumerate(model.tokens([target])[0])]
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


def plain_beam_search(model, source, width, max_length):
    """Every prefix scored from its beginning, and no end before the last step."""
    beam, finished = {"": 0.0}, {}
    for _ in range(max_length):
        candidates = []
        for prefix, score in beam.items():
            logits, _ = loss_of(model, [source], [prefix])
            log_p = logits[0, -1, 1:].log_softmax(-1).tolist()  # of <eos>, then the characters: never <bos>
            candidates += [(score + p, prefix, token) for token, p in enumerate(log_p, start=1)]
        best = sorted(candidates, reverse=True)[:width]
        finished |= {prefix: score for score, prefix, token in best if token == 1}
        beam = {prefix + model.text([token]): score for score, prefix, token in best if token > 1}
    return sorted((finished | beam).items(), key=lambda answer: -answer[1])[:width]


@torch.no_grad()
@pytest.mark.parametrize("width", [1, 2, 4])
def test_ending_the_search_early_loses_nothing(width):
    model = small()
    for source in ("a", "cab", "bbbbbb", "abccba", ""):
        for bias in (0.0, 2.0):  # with the second, answers end sooner
            model.output.bias[1] = bias
            ours, plain = model.beam_search(source, width, 5), plain_beam_search(model, source, width, 5)
            assert [text for text, _ in ours] == [text for text, _ in plain]
            np.testing.assert_allclose([p for _, p in ours], [p for _, p in plain], rtol=1e-4)


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


def test_batches_are_the_pairs_and_the_same_whenever_asked():
    model, pairs = small(), [("a", "bc"), ("abcab", ""), ("cc", "abc")]
    batches = pair_batches(model, pairs, batch_size=2, seed=0)
    seen = set()
    for step in range(20):
        sources, targets = batches(step)
        assert all(torch.equal(*same) for same in zip((sources, targets), batches(step)))
        texts = [[model.text(row[row >= 0].tolist()) for row in side] for side in (sources, targets)]
        assert set(zip(*texts)) <= set(pairs)
        assert sources.shape == (2, 1 + max(map(len, texts[0]))) and targets.shape == (2, 1 + max(map(len, texts[1])))
        seen |= set(zip(*texts))
    assert seen == set(pairs)  # more than one batch holds


def test_same_seed_same_run():
    pairs = reversal_pairs("abc", [1, 2, 3], 100, seed=0)
    runs = []
    for _ in range(2):
        model = Seq2Seq(Seq2SeqConfig("abc", d_state=8))
        runs.append(train(model, pair_batches(model, pairs, 16, seed=0), TrainingConfig(5, 1e-2), quiet=True).losses)
    assert runs[0] == runs[1] and runs[0][-1] < runs[0][0]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Seq2SeqConfig(""), "alphabet"),
        (lambda: Seq2SeqConfig("ab", "cosine"), "score must be one of"),
        (lambda: Seq2SeqConfig("ab", d_state=7), "d_state"),
        (lambda: Seq2SeqConfig("ab", d_embedding=0), "d_embedding"),
        (lambda: small().greedy(["abx"]), "'x'"),
        (lambda: small().greedy("abc"), "texts must be a list"),
        (lambda: small().greedy([]), "texts must be a list"),
        (lambda: loss_of(small(), ["a"], ["a", "b"]), "targets"),
        (lambda: pair_batches(small(), [("a", "b")], 0, seed=0), "batch_size"),
        (lambda: pair_batches(small(), [], 1, seed=0), "pairs"),
        (lambda: small().beam_search("a", width=0), "width"),
        (lambda: addition_pairs(1, 50, 10, 0), "only 55"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.slow
def test_learns_to_add_three_digit_numbers():
    training, test = addition_pairs(3, 40_000, 2_000, seed=0)
    model = Seq2Seq(Seq2SeqConfig("0123456789+=", "scaled_bilinear"))
    config = TrainingConfig(1000, learning_rate=2e-2, warmup_steps=50, decay="linear")
    train(model, pair_batches(model, training, 128, seed=0), config, quiet=True)
    answers, _ = model.greedy([source for source, _ in test], max_length=6)
    assert np.mean([answer == target for answer, (_, target) in zip(answers, test, strict=True)]) >= 0.99


@pytest.mark.slow
def test_without_attention_long_sources_are_lost():
    # The shape of Bahdanau, Cho & Bengio (2015), figure 2.
    training = reversal_pairs("abcdefgh", range(1, 13), 20_000, seed=0)
    test = reversal_pairs("abcdefgh", range(1, 13), 1_200, seed=1)
    accuracy = {}
    for score in ("none", "additive"):
        model = Seq2Seq(Seq2SeqConfig("abcdefgh", score, d_state=64))
        config = TrainingConfig(600, learning_rate=1e-2, decay="linear")
        train(model, pair_batches(model, training, 64, seed=0), config, quiet=True)
        accuracy[score] = accuracy_by_length(model, test)
        print(score, accuracy[score])
    assert accuracy["none"][2] > 0.9 and accuracy["none"][12] < 0.3
    assert min(accuracy["additive"].values()) > 0.9
