import dataclasses

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmkit.batches import IGNORE
from lmkit.elman import ElmanRNN
from lmkit.recurrent import CELLS, RecurrentConfig, RecurrentEncoder, RecurrentLM
from tests.doors import Door, bad_values

SMALL = RecurrentConfig(vocab_size=11, d_embedding=6, d_hidden=8)
VARIANTS = {
    "rnn": dataclasses.replace(SMALL, cell="rnn"),
    "relu": dataclasses.replace(SMALL, cell="rnn", nonlinearity="relu"),
    "linear": dataclasses.replace(SMALL, cell="rnn", nonlinearity="linear"),
    "gru": dataclasses.replace(SMALL, cell="gru", n_layers=2),
    "lstm": SMALL,
    "stacked": dataclasses.replace(SMALL, n_layers=3),
    "tied": dataclasses.replace(SMALL, d_embedding=8, tied=True),
}
every_variant = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)


def ids(B, T, V=11, seed=0):
    return torch.randint(V, (B, T), generator=torch.Generator().manual_seed(seed))


MODEL, BOTH = RecurrentLM(SMALL), RecurrentEncoder(dataclasses.replace(SMALL, bidirectional=True))
STATE, TOKENS = MODEL.initial_state(2), ids(2, 3)
BAD_STATES = [3, "x", {}, STATE[0], STATE * 4, [], MODEL.initial_state(1), MODEL.initial_state(3), [STATE[0][:1]]]
DOORS = [
    Door(
        RecurrentConfig,
        lambda: {"vocab_size": 11, "cell": "rnn", "d_embedding": 8, "d_hidden": 8, "n_layers": 2, "nonlinearity": "relu",
                 "bidirectional": False, "dropout": 0.1, "tied": True, "bos_id": 0},
        {"vocab_size": "count", "cell": "choice", "d_embedding": "count", "d_hidden": "count", "n_layers": "count",
         "nonlinearity": "choice", "bidirectional": "flag", "dropout": [*bad_values("probability", None), 1.0],
         "tied": "flag", "bos_id": [*bad_values("index", None), 11]},
        clashes={"d_embedding": [lambda good: 6]},
    ),
    Door(RecurrentEncoder, lambda: {"config": SMALL}, {"config": "object"}),
    Door(MODEL.encoder.initial_state, lambda: {"batch_size": 2}, {"batch_size": "count"},
         "recurrent.RecurrentEncoder.initial_state"),
    *(
        Door(encoder.forward, lambda: {"tokens": TOKENS, "state": None},
             {"tokens": "id_tensor 11", "state": bad}, "recurrent.RecurrentEncoder.forward")
        for encoder, bad in [(MODEL.encoder, [*BAD_STATES, STATE * 2]), (BOTH, [*BAD_STATES, STATE, STATE * 3])]
    ),
    Door(BOTH.last, lambda: {"outputs": BOTH(TOKENS)[0].detach(), "tokens": TOKENS},
         {"outputs": "tensor 0 1 2", "tokens": "id_tensor 11"}, "recurrent.RecurrentEncoder.last"),
    Door(RecurrentLM, lambda: {"config": SMALL, "seed": 0},
         {"config": [*bad_values("object", None), BOTH.config], "seed": "seed"}),
    Door(MODEL.initial_state, lambda: {"batch_size": 2}, {"batch_size": "count"}, "recurrent.RecurrentLM.initial_state"),
    Door(MODEL.run, lambda: {"tokens": TOKENS, "state": STATE},
         {"tokens": ["x", *bad_values("id_tensor 11", TOKENS), torch.full_like(TOKENS, IGNORE)], "state": [None, *BAD_STATES]},
         "recurrent.RecurrentLM.run"),
]  # fmt: skip


# --- Language models


@every_variant
@settings(max_examples=15)
@given(data=st.data())
def test_causal(config, data):
    model = RecurrentLM(config).double()
    T = data.draw(st.integers(2, 10))
    t = data.draw(st.integers(1, T - 1))
    tokens = ids(2, T, seed=data.draw(st.integers(0, 99)))
    changed = tokens.clone()
    changed[:, t] = (changed[:, t] + data.draw(st.integers(1, 10))) % 11
    before, after = model.logits(tokens), model.logits(changed)
    torch.testing.assert_close(before[:, :t], after[:, :t], rtol=0, atol=1e-13)
    assert not torch.allclose(before[:, t:], after[:, t:])


@every_variant
@pytest.mark.parametrize("T", [1, 7])
def test_stepping_equals_the_whole_sequence(config, T):
    model, tokens = RecurrentLM(config).double(), ids(3, T)
    whole = model(tokens)[0]
    state = model.initial_state(3)
    for t in range(T):
        logits, state = model.step(tokens[:, t : t + 1], state)
        torch.testing.assert_close(logits, whole[:, t], rtol=1e-12, atol=1e-12)
    once, after = model.step(tokens, model.initial_state(3))
    torch.testing.assert_close(once, whole[:, -1], rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(after, state, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("V", [3, 100])  # fewer words than tokens: the table; more: one product per token
def test_folded_embedding_equals_the_embedding_first(V):
    config = dataclasses.replace(SMALL, vocab_size=V)
    model, tokens = RecurrentLM(config).double(), ids(4, 5, V)
    layer = model.encoder.layers[0][0]
    h, _ = layer(model.encoder.embedding(tokens.T))
    expected = model.output(h.transpose(0, 1))
    torch.testing.assert_close(model.logits(tokens), expected, rtol=1e-12, atol=1e-12)
    weights = list(model.parameters())
    ours = torch.autograd.grad(model(tokens, tokens)[1], weights)
    its = torch.autograd.grad(F.cross_entropy(expected.flatten(0, 1), tokens.flatten()), weights)
    torch.testing.assert_close(ours, its, rtol=1e-10, atol=1e-12)


def test_stacked_lstm_equals_torchs():
    model, tokens = RecurrentLM(VARIANTS["stacked"]).double(), ids(2, 6)
    theirs = nn.LSTM(6, 8, num_layers=3, batch_first=True).double()
    for k, (layer,) in enumerate(model.encoder.layers):
        for name, weight in (("weight_ih", layer.W_x), ("weight_hh", layer.W_h), ("bias_ih", layer.b)):
            getattr(theirs, f"{name}_l{k}").data = weight.data
        getattr(theirs, f"bias_hh_l{k}").data.zero_()
    h, _ = theirs(model.encoder.embedding(tokens))
    torch.testing.assert_close(model.logits(tokens), model.output(h), rtol=1e-12, atol=1e-12)


def test_truncation_by_detaching_the_state_is_the_numpy_one():
    """Windows in torch, the state carried over detached: the gradient of ``ElmanRNN.gradients(window)``."""
    model = RecurrentLM(dataclasses.replace(SMALL, cell="rnn")).double()
    (layer,), E = model.encoder.layers[0], model.encoder.embedding.weight
    text, window = ids(1, 10), 4
    net = ElmanRNN(
        *(w.detach().numpy() for w in (layer.W_x, layer.W_h, layer.b, model.output.weight, model.output.bias))
    )
    expected = net.gradients(E.detach().numpy()[text[0, :-1]], text[0, 1:].numpy(), window)
    state = model.initial_state()
    for start in range(0, 9, window):
        end = min(start + window, 9)
        h, state = model.run(text[:, start:end], [tuple(s.detach() for s in layer) for layer in state])
        logits = model.output(h)
        (F.cross_entropy(logits[0], text[0, start + 1 : end + 1], reduction="sum") / 9).backward()
    np.testing.assert_allclose(layer.W_h.grad, expected["W_hh"], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(layer.W_x.grad, expected["W_xh"], rtol=1e-10, atol=1e-13)


@every_variant
def test_language_model_questions_agree(config):
    model, tokens = RecurrentLM(config), ids(1, 6)[0].numpy()
    tokens = np.where(tokens == 0, 1, tokens)  # <bos> is never predicted
    log_p = [model.next_log_probs(tokens[:t])[tokens[t]] for t in range(6)]
    np.testing.assert_allclose(model.log_probs(tokens), log_p, rtol=1e-5)
    assert np.exp(model.next_log_probs([])).sum() == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS)
def test_learns_what_only_memory_can_tell(cell):
    """<bos> A x x x x A or <bos> B x x x x B: the last token is certain only to who remembers the first."""
    model = RecurrentLM(RecurrentConfig(vocab_size=4, cell=cell, d_embedding=8, d_hidden=16))
    text = torch.tensor([[0, w, 3, 3, 3, 3, w] for w in (1, 2)])
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(150):
        _, loss = model(text[:, :-1], text[:, 1:])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    first, *rest = -model.log_probs(text[0, 1:].numpy())
    assert first == pytest.approx(np.log(2), abs=0.05)  # no one can know A or B beforehand
    assert max(rest) < 0.05


def test_seed_decides_and_global_randomness_does_not():
    torch.manual_seed(1)
    a = RecurrentLM(SMALL, seed=5)
    after = torch.rand(1)
    torch.manual_seed(1)
    assert torch.rand(1) == after
    b, c = RecurrentLM(SMALL, seed=5), RecurrentLM(SMALL, seed=6)
    tokens = ids(1, 4)
    assert torch.equal(a.logits(tokens), b.logits(tokens))
    assert not torch.equal(a.logits(tokens), c.logits(tokens))


def test_tied_weights_are_one_matrix_of_small_numbers():
    model = RecurrentLM(RecurrentConfig(300, d_embedding=100, d_hidden=100, tied=True))
    assert model.output.weight is model.encoder.embedding.weight
    assert model.output.weight.std().item() == pytest.approx(0.1, rel=0.02)  # 1 / √d, so that scores begin near 0


# --- Both directions


def test_bidirectional_equals_torchs_with_padding():
    config = dataclasses.replace(SMALL, bidirectional=True, n_layers=2)
    encoder = RecurrentEncoder(config).double()
    theirs = nn.LSTM(6, 8, num_layers=2, bidirectional=True).double()
    for k, pair in enumerate(encoder.layers):
        for layer, suffix in zip(pair, ("", "_reverse"), strict=True):
            for name, weight in (("weight_ih", layer.W_x), ("weight_hh", layer.W_h), ("bias_ih", layer.b)):
                getattr(theirs, f"{name}_l{k}{suffix}").data = weight.data
            getattr(theirs, f"bias_hh_l{k}{suffix}").data.zero_()
    tokens, lengths = ids(3, 6), torch.tensor([6, 1, 4])
    for row, length in zip(tokens, lengths, strict=True):
        row[length:] = IGNORE
    packed = nn.utils.rnn.pack_padded_sequence(encoder.embedding(tokens.clamp(min=0).T), lengths, enforce_sorted=False)
    packed, (states, _) = theirs(packed)  # the latter (layers and directions, B, H), at each sequence's own end
    expected, _ = nn.utils.rnn.pad_packed_sequence(packed)  # (T, B, 2H), zeros where padded
    h, _ = encoder(tokens)
    torch.testing.assert_close(encoder.last(h, tokens), torch.cat([*states[-2:]], dim=-1), rtol=1e-12, atol=1e-12)
    h = h * (tokens != IGNORE)[..., None]
    torch.testing.assert_close(h, expected.transpose(0, 1), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("encoder", [MODEL.encoder, BOTH], ids=["one direction", "both"])
def test_there_is_no_state_behind_padding(encoder):
    """The layers go on over it; what they remember then is of no text."""
    tokens = ids(3, 6)
    assert encoder(tokens)[1] is not None
    tokens[1, 4:] = IGNORE
    assert encoder(tokens)[1] is None


@pytest.mark.parametrize("row", [[1, IGNORE, 2], [IGNORE, 1, 2], [IGNORE] * 3])
def test_padding_stands_only_to_the_right(row):
    tokens = torch.tensor([[1, 2, 3], row])
    for call in (BOTH, lambda tokens: BOTH.last(torch.zeros(2, 3, 16), tokens)):
        with pytest.raises(ValueError, match="tokens must have padding"):
            call(tokens)


def test_a_language_model_refuses_to_look_ahead():
    with pytest.raises(ValueError, match="config must not be bidirectional"):
        RecurrentLM(dataclasses.replace(SMALL, bidirectional=True))


def test_a_language_model_refuses_padding():
    with pytest.raises(ValueError, match="tokens holds -1 … 1, expected 0 … 10"):
        MODEL(torch.tensor([[1, IGNORE]]))


# --- Dropout


@pytest.mark.parametrize("V", [3, 100])
def test_dropout_acts_in_training_alone(V):
    config = dataclasses.replace(SMALL, vocab_size=V, n_layers=2)
    plain, model = RecurrentLM(config), RecurrentLM(dataclasses.replace(config, dropout=0.5))
    tokens = ids(4, 5, V)
    assert not torch.allclose(model.logits(tokens), model.logits(tokens))
    model.eval()
    assert torch.equal(model.logits(tokens), plain.logits(tokens))


@pytest.mark.parametrize("V", [3, 100])
def test_dropout_is_on_the_way_up_and_never_along_time(V, monkeypatch):
    """Zaremba, Sutskever & Vinyals (2014), figure 2: the embeddings and every layer's outputs, the top one's too."""
    config = dataclasses.replace(SMALL, vocab_size=V, n_layers=2, dropout=0.25)
    model, tokens = RecurrentLM(config).double(), ids(4, 5, V)
    masks = []

    def dropout(x, p, training):
        assert p == 0.25 and training
        masks.append(torch.rand(x.shape, generator=torch.Generator().manual_seed(len(masks))).double())
        return x * masks[-1]

    monkeypatch.setattr(F, "dropout", dropout)
    h = model.hidden(tokens)
    x = model.encoder.embedding(tokens.T) * masks[0]
    for (layer,), mask in zip(model.encoder.layers, masks[1:], strict=True):
        x = layer(x)[0] * mask
    torch.testing.assert_close(h.transpose(0, 1), x, rtol=1e-12, atol=1e-12)


def test_both_directions_read_the_same_embeddings():
    """One mask for a word, whoever reads it."""
    encoder = RecurrentEncoder(dataclasses.replace(SMALL, bidirectional=True, dropout=0.5))
    forwards, backwards = encoder.layers[0]
    backwards.load_state_dict(forwards.state_dict())
    torch.manual_seed(0)
    h = encoder(ids(50, 1))[0][:, 0]  # one word each: both directions compute the same from it
    kept = (h[:, :8] != 0) & (h[:, 8:] != 0)  # where the outputs were dropped there is nothing to see
    assert kept.any() and torch.equal(h[:, :8][kept], h[:, 8:][kept])


# --- Errors


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_only_the_rnn_has_a_choice_of_nonlinearity(cell):
    with pytest.raises(ValueError, match="nonlinearity must be one of 'tanh', got 'relu'"):
        dataclasses.replace(SMALL, cell=cell, nonlinearity="relu")
