"""What neural language models share: the loss, scoring in bounded memory, and reading on from a state."""

import copy
import math

import numpy as np
import pytest
import torch

from lmkit import neural
from lmkit.decoding import beam_search, greedy
from lmkit.feedforward import FeedforwardConfig, FeedforwardLM
from lmkit.linear_recurrence import LinearRecurrenceConfig, LinearRecurrenceLM
from lmkit.neural import IGNORE, NONLINEARITIES, StateReader, evaluating, seeded
from lmkit.recurrent import RecurrentConfig, RecurrentLM
from lmkit.transformer import TransformerConfig, TransformerLM
from tests.doors import Door, bad_values

SIZES = {"vocab_size": 9, "context_length": 12, "n_layers": 2, "n_heads": 2, "d_model": 16}
MODELS = {
    "feed-forward": FeedforwardLM(FeedforwardConfig(9, n_context=3)),
    "unigram window": FeedforwardLM(FeedforwardConfig(9, n_context=1)),
    "RNN": RecurrentLM(RecurrentConfig(9, "rnn")),
    "GRU": RecurrentLM(RecurrentConfig(9, "gru")),
    "LSTM": RecurrentLM(RecurrentConfig(9, "lstm", n_layers=2)),
    "linear recurrence": LinearRecurrenceLM(LinearRecurrenceConfig(9)),
    "Transformer": TransformerLM(TransformerConfig(**SIZES)),
    "rotary Transformer": TransformerLM(TransformerConfig(**SIZES, positions="rotary", qk_norm=True)),
}
for one in MODELS.values():  # weights large enough that each token matters
    one.double()
    with torch.no_grad():
        for parameter in one.parameters():
            parameter.mul_(2)
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def texts(*lengths, seed=0):
    return [np.random.default_rng([seed, i]).integers(1, 9, size=length) for i, length in enumerate(lengths)]


@every_model
def test_loss_is_the_mean_over_the_targets_that_count(model):
    a, b = texts(5, 3)
    tokens = torch.tensor([[0, *a[:-1]], [0, *b[:-1], 0, 0]])
    targets = torch.tensor([a.tolist(), [*b, IGNORE, IGNORE]])
    logits, loss = model(tokens, targets)
    log_p = logits.log_softmax(dim=-1)
    each = [log_p[0, t, w] for t, w in enumerate(a)] + [log_p[1, t, w] for t, w in enumerate(b)]
    torch.testing.assert_close(loss, -torch.stack(each).mean())
    assert model(tokens)[1] is None and torch.equal(model(tokens)[0], model.logits(tokens))
    with pytest.raises(ValueError, match="targets are all -1"):
        model(tokens, torch.full_like(targets, IGNORE))


@pytest.mark.parametrize("name", [name for name in MODELS if "Transformer" not in name])  # which has a cache
def test_a_token_that_is_refused_is_not_kept(name, monkeypatch):
    model = MODELS[name]
    reader = model.reader([1, 2])
    with monkeypatch.context() as patch:
        patch.setattr(neural.NeuralLM, "_log_softmax", lambda self, logits: logits.double() * math.nan)
        with pytest.raises(ValueError, match="gives NaN"):
            reader.read([3])
    reader.read([4])
    np.testing.assert_allclose(reader.log_probs, [model.next_log_probs([1, 2, 4])])


@every_model
@pytest.mark.parametrize(("tokens_at_once", "scores_at_once"), [(10**6, 10**6), (64, 100), (1, 1)])
def test_scores_are_those_of_the_chain_however_they_are_cut(model, tokens_at_once, scores_at_once, monkeypatch):
    monkeypatch.setattr(neural, "TOKENS_AT_ONCE", tokens_at_once)
    monkeypatch.setattr(neural, "SCORES_AT_ONCE", scores_at_once)
    sequences = texts(5, 0, 28, 12, 1)
    scored = model.log_probs_many(sequences)
    assert [len(row) for row in scored] == [5, 0, 28, 12, 1]
    for text, row in zip(sequences, scored, strict=True):
        chain = [model.next_log_probs(text[:t])[w] for t, w in enumerate(text)]
        np.testing.assert_allclose(row, chain, rtol=1e-6)
        np.testing.assert_allclose(model.log_probs(text), chain, rtol=1e-6)
    assert model.log_probs([0])[0] == -np.inf  # <bos> is never predicted
    assert np.exp(model.next_log_probs([3, 4])).sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("model", [MODELS["LSTM"], MODELS["Transformer"]], ids=["LSTM", "Transformer"])
def test_what_scoring_holds_at_a_time_does_not_grow_with_the_text(model, monkeypatch):
    sizes, positions = [], []
    log_softmax, pieces = type(model)._log_softmax, type(model)._pieces

    def seen(self, inputs):
        for start, h in pieces(self, inputs):
            positions.append(h.shape[0] * h.shape[1])
            yield start, h

    monkeypatch.setattr(neural, "TOKENS_AT_ONCE", 100)
    monkeypatch.setattr(neural, "SCORES_AT_ONCE", 180)
    monkeypatch.setattr(type(model), "_pieces", seen)
    monkeypatch.setattr(type(model), "_log_softmax", lambda self, x: (sizes.append(x.numel()), log_softmax(self, x))[1])
    model.log_probs_many(texts(*[30] * 20, 700))
    assert max(sizes) <= 180 and max(positions) <= 100
    assert sum(sizes) == 9 * 1300  # and no padding is scored


@every_model
def test_reading_token_by_token_is_the_same_as_reading_everything(model):
    """Past the context of the Transformers, too."""
    text = texts(26)[0]
    for start in (0, 7, 20):
        reader = model.reader(text[:start])
        assert type(reader) is StateReader
        for t in range(start, 26):
            np.testing.assert_allclose(reader.log_probs[0], model.next_log_probs(text[:t]), rtol=1e-6)
            reader.read([text[t]])


@every_model
def test_texts_of_a_reader_go_their_own_ways(model):
    reader = model.reader([3, 4])
    reader.keep([0, 0])
    reader.read([5, 7])
    reader.keep([1, 0, 1])
    reader.read([2, 2, 6])
    expected = [model.next_log_probs(text) for text in ([3, 4, 7, 2], [3, 4, 5, 2], [3, 4, 7, 6])]
    np.testing.assert_allclose(reader.log_probs, expected, rtol=1e-6)
    with pytest.raises(ValueError, match="tokens must have one id for each of 3 texts"):
        reader.read([1])


@every_model
def test_reading_and_scoring_leave_training_as_it_was(model):
    for training in (True, False):
        model.train(training)
        model.next_log_probs([1])
        model.log_probs([1, 2])
        assert model.training is training
        with pytest.raises(RuntimeError, match="inside"), evaluating(model):
            assert not model.training
            raise RuntimeError("inside")
        assert model.training is training
    assert model.log_probs_many([]) == []


@every_model
def test_a_model_with_nan_says_so_instead_of_writing(model):
    broken = copy.deepcopy(model)
    with torch.no_grad():
        next(broken.parameters()).fill_(math.nan)
    for ask in (
        lambda: broken.next_log_probs([1]),
        lambda: broken.log_probs([1, 2]),
        lambda: greedy(broken, max_tokens=3),
        lambda: beam_search(broken, 2, max_tokens=3),
    ):
        with pytest.raises(ValueError, match="model gives NaN"):
            ask()


def test_scoring_knows_no_dropout():
    model = TransformerLM(TransformerConfig(**SIZES, dropout=0.5))
    expected = model.eval().log_probs([1, 2, 3])
    model.train()
    assert np.array_equal(model.log_probs([1, 2, 3]), expected) and np.array_equal(
        model.log_probs_many([[1, 2, 3]])[0], expected
    )


def test_parts_that_were_not_being_trained_are_not_afterwards():
    model = RecurrentLM(RecurrentConfig(9, dropout=0.5)).train()
    model.encoder.eval()
    with evaluating(model):
        assert not any(m.training for m in model.modules())
    assert model.training and model.output.training and not any(m.training for m in model.encoder.modules())


def test_a_seed_decides_and_leaves_the_global_state_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    with seeded(1):
        first = torch.rand(2)
    assert torch.equal(torch.rand(3), expected)
    with seeded(1):
        assert torch.equal(torch.rand(2), first)


def test_a_state_of_another_batch_or_model_is_refused():
    tokens = torch.tensor([[1, 2]])
    for name in ("feed-forward", "LSTM", "linear recurrence"):
        model = MODELS[name]
        rounded = [copy.deepcopy(model).float().initial_state(1)] if name != "feed-forward" else []  # which keeps ids
        for state in (model.initial_state(2), MODELS["RNN"].initial_state(1), [], [None], *rounded):
            for read in (model.run, model.step):
                with pytest.raises(ValueError, match="state"):
                    read(tokens, state)


def test_nonlinearities_by_hand():
    a = torch.linspace(-3, 3, 25, dtype=torch.float64)
    gelu = 0.5 * a * (1 + torch.tanh(math.sqrt(2 / math.pi) * (a + 0.044715 * a**3)))
    by_hand = {
        "linear": a,
        "tanh": 1 - 2 / (torch.exp(2 * a) + 1),
        "relu": a.clamp(min=0),
        "squared_relu": a.clamp(min=0) ** 2,
        "gelu": gelu,
        "silu": a / (1 + torch.exp(-a)),
    }
    assert NONLINEARITIES.keys() == by_hand.keys()
    for name, phi in NONLINEARITIES.items():
        torch.testing.assert_close(phi(a), by_hand[name], rtol=1e-12, atol=1e-12)


MODEL, IDS = MODELS["LSTM"], torch.tensor([[1, 2, 3], [4, 5, 6]])


def pair_of_texts():
    reader = MODEL.reader([1])
    reader.keep([0, 0])
    return reader


STATES = [None, 3, "x", [], [None], (1,), torch.zeros(2, 3)]
DOORS = [
    Door(
        MODEL.forward,
        lambda: {"tokens": IDS, "targets": IDS},
        {
            "tokens": "id_tensor 9",
            "targets": [
                *bad_values("optional id_tensor 9", IDS),
                torch.full_like(IDS, -2),
                IDS[:, :2],
                IDS[:1],
                torch.full_like(IDS, -1),
            ],
        },
        name="neural.NeuralLM.forward",
    ),
    Door(MODEL.logits, lambda: {"tokens": IDS}, {"tokens": "id_tensor 9"}, name="neural.NeuralLM.logits"),
    Door(MODEL.log_probs, lambda: {"tokens": [1, 2]}, {"tokens": "ids 9"}, name="neural.NeuralLM.log_probs"),
    Door(
        MODEL.log_probs_many,
        lambda: {"sequences": [[1], [2, 3]]},
        {"sequences": "sequences 9"},
        name="neural.NeuralLM.log_probs_many",
    ),
    Door(MODEL.next_log_probs, lambda: {"prefix": [1]}, {"prefix": "ids 9"}, name="neural.NeuralLM.next_log_probs"),
    Door(MODEL.reader, lambda: {"prefix": [1]}, {"prefix": "ids 9"}, name="neural.NeuralLM.reader"),
    Door(MODEL.hidden, lambda: {"tokens": IDS}, {"tokens": "id_tensor 9"}, name="neural.RecurrentStateLM.hidden"),
    Door(
        MODEL.step,
        lambda: {"tokens": IDS, "state": MODEL.initial_state(2)},
        {"tokens": "id_tensor 9", "state": STATES},
        name="neural.RecurrentStateLM.step",
        clashes={"state": [lambda good: MODEL.initial_state(1), lambda good: MODELS["RNN"].initial_state(2)]},
    ),
    Door(
        MODEL.select,
        lambda: {"state": MODEL.initial_state(2), "rows": [1, 1]},
        {"state": STATES, "rows": [*bad_values("ids 2", [1, 1]), []]},
        name="neural.RecurrentStateLM.select",
    ),
    Door(StateReader, lambda: {"model": MODEL, "prefix": [1]}, {"model": "object", "prefix": "ids 9"}),
    Door(
        lambda tokens: pair_of_texts().read(tokens),
        lambda: {"tokens": [1, 2]},
        {"tokens": [*bad_values("ids 9", [1, 2]), [1], []]},
        name="neural.StateReader.read",
    ),
    Door(
        lambda rows: pair_of_texts().keep(rows),
        lambda: {"rows": [1, 1]},
        {"rows": [*bad_values("ids 2", [1, 1]), []]},
        name="neural.StateReader.keep",
    ),
    Door(
        lambda model: evaluating(model).__enter__(),
        lambda: {"model": MODEL},
        {"model": "object"},
        name="neural.evaluating",
    ),
    Door(lambda seed: seeded(seed).__enter__(), lambda: {"seed": 0}, {"seed": "seed"}, name="neural.seeded"),
]
