import itertools
import math

import numpy as np
import pytest
import torch

from lmkit.batches import IGNORE
from lmkit.decoding import beam_search, greedy
from lmkit.seq2seq import SCORES, GivenSource, Score, Seq2Seq, Seq2SeqConfig, Source, accuracy_by_length, pair_batches
from lmkit.string_pairs import addition_pairs, reversal_pairs
from lmkit.training import TrainingConfig, train
from tests.doors import Door, bad_values

every_score = pytest.mark.parametrize("score", SCORES)


def small(score="additive", alphabet="abc"):
    """An untrained model with large weights, so that its answers differ."""
    model = Seq2Seq(Seq2SeqConfig(alphabet, score, d_state=8, d_embedding=4))
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=generator))
    return model


MODEL = small()
SOURCES, TARGETS, S = MODEL.tokens(["ab", "c"]), MODEL.tokens(["c", "bc"]), torch.zeros(2, 8)
SOURCE = MODEL.encode(SOURCES)
SCORE, GIVEN = Score("bilinear", 8), MODEL.given("ab")
TEXTS = [None, 3, "ab", [], [3], [None], ["ax"], {"a": 1}]
PAIRS = [
    None,
    3,
    "ab",
    [],
    ["ab"],
    [("a",)],
    [("a", "b", "c")],
    [("a", 3)],
    [3],
    [("a", "b"), ("a", "z")],
    [("z", "a")],
]
HOLE = torch.tensor([[2, IGNORE, 1], [2, 3, 1]])
DOORS = [
    Door(Seq2SeqConfig, lambda: {"alphabet": "ab", "score": "dot", "d_state": 8, "d_embedding": 4},
         {"alphabet": ["", *bad_values("text", None)], "score": "choice", "d_state": [7, *bad_values("count", None)],
          "d_embedding": "count"}),
    Door(Score, lambda: {"kind": "dot", "d_state": 8}, {"kind": ["cosine", "none", None, 3], "d_state": "count"}),
    Door(SCORE.keys, lambda: {"H": SOURCE.H}, {"H": "tensor"}, "seq2seq.Score.keys"),
    Door(SCORE.forward, lambda: {"keys": SOURCE.keys, "s": S},
         {"keys": [*bad_values("free_tensor", S), SOURCE.keys[0]], "s": "tensor 0 1"},
         "seq2seq.Score.forward"),
    Door(Seq2Seq, lambda: {"config": MODEL.config, "seed": 0}, {"config": "object", "seed": "seed"}),
    Door(MODEL.tokens, lambda: {"texts": ["a"]}, {"texts": TEXTS}, "seq2seq.Seq2Seq.tokens"),
    Door(MODEL.text, lambda: {"ids": [2, 1]}, {"ids": "ids 5"}, "seq2seq.Seq2Seq.text"),
    Door(MODEL.encode, lambda: {"sources": SOURCES}, {"sources": [*bad_values("id_tensor 5", SOURCES), HOLE]},
         "seq2seq.Seq2Seq.encode"),
    Door(MODEL.decode, lambda: {"tokens": SOURCES.clamp(min=0), "s": S, "source": SOURCE},
         {"tokens": [*bad_values("id_tensor 5", SOURCES), SOURCES], "s": "tensor 0 1",
          "source": [*bad_values("object", None), MODEL.encode(SOURCES[:1]), Source(None, None, None, None)]},
         "seq2seq.Seq2Seq.decode"),
    Door(MODEL.forward, lambda: {"sources": SOURCES, "targets": TARGETS},
         {"sources": "id_tensor 5",
          "targets": [*bad_values("id_tensor 5", TARGETS), TARGETS[:1], TARGETS * 0 + IGNORE, HOLE]},
         "seq2seq.Seq2Seq.forward"),
    Door(MODEL.greedy, lambda: {"texts": ["a"], "max_length": 2}, {"texts": TEXTS, "max_length": "count"},
         "seq2seq.Seq2Seq.greedy"),
    Door(MODEL.given, lambda: {"source": "ab"}, {"source": ["z", *bad_values("text", None)]}, "seq2seq.Seq2Seq.given"),
    Door(GivenSource, lambda: {"model": MODEL, "source": "ab"},
         {"model": "object", "source": ["z", *bad_values("text", None)]}),
    Door(GIVEN.initial_state, lambda: {"batch_size": 2}, {"batch_size": "count"}, "seq2seq.GivenSource.initial_state"),
    Door(GIVEN.run, lambda: {"tokens": TARGETS[:, :2], "state": GIVEN.initial_state(2)},
         {"tokens": "id_tensor 5", "state": [None, 3, [], [S[:1]], [S, S], [None]]}, "seq2seq.GivenSource.run"),
    Door(pair_batches, lambda: {"model": MODEL, "pairs": [("a", "b")], "batch_size": 2, "seed": 0},
         {"model": "object", "pairs": PAIRS, "batch_size": "count", "seed": "seed"}),
    Door(accuracy_by_length, lambda: {"model": MODEL, "pairs": [("a", "b")]}, {"model": "object", "pairs": PAIRS}),
]  # fmt: skip


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
        states, _ = model.decode(torch.tensor([[fed]]), s, source)
        s = states[:, 0]
        total -= model.output(s).log_softmax(-1)[0, right[t]]
        torch.testing.assert_close(logits[:, t], model.output(s))
    torch.testing.assert_close(loss, total / 3)


def test_a_step_of_the_decoder_by_hand():
    """Bahdanau, Cho & Bengio (2015), section 3.1: the context is seen from the state before, and fed with the character."""
    model = small("additive")
    source = model.encode(model.tokens(["abc"]))
    s, (states, weights) = source.last, model.decode(torch.tensor([[3]]), source.last, source)
    alpha = model.score(model.score.keys(source.H), s).softmax(-1)
    x = torch.cat([model.encoder.embedding.weight[3], alpha[0] @ source.H[0]])
    torch.testing.assert_close(weights[:, 0], alpha)
    torch.testing.assert_close(states[:, 0], model.decoder(x[None], s))


def test_without_attention_only_the_last_state_is_seen():
    model = small("none")
    source = model.encode(model.tokens(["abc"]))
    changed = source._replace(H=source.H + 1, keys=source.keys + 1)
    runs = [model.decode(torch.tensor([[0, 2]]), source.last, seen) for seen in (source, changed)]
    assert all(torch.equal(*same) for same in zip(*runs, strict=True))
    h_forwards, h_backwards = model.encoder(model.tokens(["abc"]))[1]
    torch.testing.assert_close(source.last, torch.cat([h_forwards[0], h_backwards[0]], dim=1))


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
    beam = beam_search(model.given("bca"), 200, max_tokens=3)
    assert [model.text(h.tokens) for h in beam[:5]] == [text for text, _ in exact[:5]]
    np.testing.assert_allclose([h.log_prob for h in beam[:5]], [p for _, p in exact[:5]], rtol=1e-4)


@every_score
def test_one_greedy_search_and_the_other(score):
    model = small(score)
    texts = ["a", "cab", "bbbbbb"]
    answers, weights = model.greedy(texts, max_length=6)
    for text, answer in zip(texts, answers, strict=True):
        assert model.text(greedy(model.given(text), max_tokens=6)) == answer
        assert model.text(beam_search(model.given(text), 1, max_tokens=6)[0].tokens) == answer
    assert weights.shape[1] == min(6, 1 + max(map(len, answers)))


def test_greedy_ends_when_the_last_answer_does():
    """Whatever the model goes on to say behind the <eos> of an answer that is shorter."""
    model = small()
    script = iter([[1, 2], [3, 3], [3, 1], [3, 3]])  # the ids of both answers at each step
    model.output.forward = lambda s: torch.eye(5)[next(script)]
    answers, weights = model.greedy(["ab", "c"], max_length=4)
    assert answers == ["", model.text([2, 3])] and weights.shape == (2, 3, 3)


def test_a_prefix_read_at_once_is_a_prefix_read_step_by_step():
    given = small().double().given("bca")
    at_once, by_steps = given.reader([2, 3, 4]), given.reader()
    for token in (2, 3, 4):
        by_steps.read([token])
    for reader in (at_once, by_steps):
        reader.read([2])
    np.testing.assert_allclose(at_once.log_probs, by_steps.log_probs, rtol=1e-12)


@every_score
def test_a_model_given_a_source_scores_its_answers_as_forward_does(score):
    model = small(score).double()
    with torch.no_grad():
        model.output.bias[0] = -1e9  # <bos>, which no answer holds
    given, answers = model.given("bca"), ["cab", "", "aaaaa"]
    scored = given.log_probs_many([model.tokens([answer])[0] for answer in answers])
    for answer, log_p in zip(answers, scored, strict=True):
        assert -log_p.mean() == pytest.approx(loss_of(model, ["bca"], [answer])[1].item(), rel=1e-12)


def test_a_source_that_was_read_by_a_model_that_has_moved_says_so():
    model = small()
    given = model.given("ab")
    model.double()
    with pytest.raises(ValueError, match="source.H must be torch.float64 on cpu, got torch.float32"):
        given.next_log_probs([])


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
    first = batches(0)
    pairs += pairs  # the caller's own list
    assert all(map(torch.equal, first, batches(0)))
    with pytest.raises(ValueError, match="step must be an integer ≥ 0, got -1"):
        batches(-1)


def test_accuracy_is_the_share_of_exact_answers():
    model = small()
    (a, b, ab), _ = model.greedy(["a", "b", "ab"], max_length=3)
    pairs = [("a", a), ("b", b + "c"), ("ab", ab)]
    lengths = []

    def answers(texts, max_length):
        lengths.append(max_length)
        return [{"a": a, "b": b, "ab": ab}[text] for text in texts], None

    model.greedy = answers
    assert accuracy_by_length(model, pairs) == {1: 0.5, 2: 1.0}
    assert lengths == [
        1 + max(len(a), len(b) + 1),
        1 + len(ab),
    ]  # room for <eos>: a longer answer is not the right one cut


def test_same_seed_same_run():
    pairs = reversal_pairs("abc", [1, 2, 3], 100, seed=0)
    runs = []
    for _ in range(2):
        model = Seq2Seq(Seq2SeqConfig("abc", d_state=8))
        runs.append(train(model, pair_batches(model, pairs, 16, seed=0), TrainingConfig(5, 1e-2), quiet=True).losses)
    assert runs[0] == runs[1] and runs[0][-1] < runs[0][0]


def test_a_character_outside_the_alphabet_is_named():
    with pytest.raises(ValueError, match="'x'"):
        small().greedy(["abx"])


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


def test_a_model_of_half_precision_answers():
    answers, maps = Seq2Seq(Seq2SeqConfig("abc")).bfloat16().greedy(["ab"])
    assert len(answers) == len(maps) == 1 and maps.dtype == np.float32
