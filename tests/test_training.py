"""Optimisers against torch's, batches against their definition, training that resumes and divides exactly."""

import math
import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from lmkit import training
from lmkit.neural import IGNORE
from lmkit.training import TrainingConfig, train
from lmkit.transformer import TransformerConfig, TransformerLM


def small_model(seed=0):
    return TransformerLM(
        TransformerConfig(vocab_size=7, context_length=16, n_layers=1, n_heads=2, d_model=16), seed=seed
    )


def sentences(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return [np.append(rng.integers(2, 7, size=rng.integers(1, 12)), 1) for _ in range(n)]


def test_sgd_takes_the_lectures_steps():
    """On J_i(θ) = (θ − x_i)²/2 each step is θ ← θ − η (θ − x_i), written out here."""
    x = np.array([1.0, 4.0, -2.0])
    path = list(training.sgd(lambda theta, i: theta - x[i], np.array(0.5), 3, learning_rate=0.1, epochs=4, seed=3))
    assert len(path) == 1 + 4 * 3 and path[0] == 0.5
    for epoch in range(4):
        used = [
            x[np.argmin([abs(b - (a - 0.1 * (a - xi))) for xi in x])]
            for a, b in pairwise(path[3 * epoch : 3 * epoch + 4])
        ]
        assert sorted(used) == sorted(x)


def test_minibatches_are_pairwise_disjoint_and_cover_everything():
    for epoch in range(3):
        batches = training.shuffled_batches(23, 5, seed=1, epoch=epoch)
        assert sorted(np.concatenate(batches).tolist()) == list(range(23))
    assert any(
        (a != b).any()
        for a, b in zip(training.shuffled_batches(23, 5, 1, 0)[:4], training.shuffled_batches(23, 5, 1, 1))
    )


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (lambda p: training.SGD(p, momentum=0.9), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9)),
        (
            lambda p: training.AdamW(p, betas=(0.9, 0.95), weight_decay=0.1),
            lambda p: torch.optim.AdamW(p, lr=0.05, betas=(0.9, 0.95), weight_decay=0.1),
        ),
    ],
    ids=["SGD", "AdamW"],
)
def test_optimisers_equal_torchs(ours, theirs):
    torch.manual_seed(0)
    a = nn.Linear(5, 3, bias=False).double()
    b = nn.Linear(5, 3, bias=False).double()
    b.load_state_dict(a.state_dict())
    mine, torchs = ours(a.parameters()), theirs(b.parameters())
    for _ in range(20):
        x = torch.randn(8, 5, dtype=torch.float64)
        for model in (a, b):
            model.zero_grad()
            model(x).tanh().pow(2).mean().backward()
        mine.step(0.05)
        torchs.step()
    assert torch.allclose(a.weight, b.weight, rtol=0, atol=1e-12)


def test_clipping_equals_torchs():
    model = nn.Linear(4, 4)
    model(torch.randn(3, 4)).pow(2).sum().backward()
    before = [p.grad.clone() for p in model.parameters()]
    norm = training.clip_gradients(model.parameters(), 0.5)
    after = [p.grad.clone() for p in model.parameters()]
    for p, g in zip(model.parameters(), before):
        p.grad = g
    assert math.isclose(norm, nn.utils.clip_grad_norm_(model.parameters(), 0.5).item(), rel_tol=1e-5)
    assert all(torch.allclose(p.grad, g, rtol=1e-4) for p, g in zip(model.parameters(), after))


def test_schedule():
    config = TrainingConfig(steps=100, learning_rate=1.0, warmup_steps=10, final_learning_rate=0.2)
    rates = [training.scheduled_learning_rate(s, config) for s in range(100)]
    assert math.isclose(rates[0], 0.1) and math.isclose(rates[9], 1.0) and math.isclose(rates[55], 0.6)
    assert all(a >= b for a, b in pairwise(rates[9:])) and rates[-1] > 0.2


def test_sentence_batches_shift_pad_and_repeat_nothing():
    rows = sentences()
    batches = training.sentence_batches(rows, 7, bos_id=0, seed=2)
    seen = []
    for step in range(math.ceil(len(rows) / 7)):
        inputs, targets = batches(step)
        again = batches(step)
        assert torch.equal(inputs, again[0]) and torch.equal(targets, again[1])
        for x, y in zip(inputs, targets):
            words = y[y != IGNORE]
            assert x[0] == 0 and torch.equal(x[1 : len(words)], words[:-1])
            seen.append(words.tolist())
    assert sorted(seen) == sorted(row.tolist() for row in rows)


def test_stream_windows_predict_the_next_token():
    text = np.random.default_rng(0).integers(0, 7, size=200)
    inputs, targets = training.stream_batches(text, 16, 4, seed=5)(3)
    assert torch.equal(inputs[:, 1:], targets[:, :-1]) and inputs.shape == (4, 16)
    held_out = training.held_out_stream(text, 16, 3)
    assert torch.cat([t[t != IGNORE] for _, t in held_out]).tolist() == text[1:].tolist()


def test_evaluate_loss_counts_every_token_once():
    model, rows = small_model(), sentences(30)
    expected = -np.concatenate(model.log_probs_many(rows)).mean()
    losses = [training.evaluate_loss(model, training.held_out_sentences(rows, size, bos_id=0)) for size in (1, 4, 30)]
    assert np.allclose(losses, losses[0], rtol=1e-5)
    # the model's own distribution leaves out <bos>, which cross-entropy in training does not
    assert losses[0] > expected


def test_training_learns_and_repeats_itself():
    rows = [np.array([2, 3, 4, 5, 6, 1])] * 8
    config = TrainingConfig(steps=120, learning_rate=1e-2, warmup_steps=5, validate_every=60)
    logs = [
        train(small_model(), training.sentence_batches(rows, 4, 0, seed=0), config, quiet=True,
              validation=training.held_out_sentences(rows, 8, 0))
        for _ in range(2)
    ]  # fmt: skip
    assert logs[0] == logs[1] and logs[0].losses[-1] < 0.05 < logs[0].losses[0]
    assert [step for step, _ in logs[0].validation] == [60, 120]


class Stopped(Exception):
    """The power went off."""


def test_an_interrupted_training_resumes_to_the_same_numbers(tmp_path):
    config = TrainingConfig(steps=30, learning_rate=1e-2, checkpoint_every=10)
    batches = training.sentence_batches(sentences(), 8, 0, seed=0)
    whole = small_model()
    log = train(whole, batches, config, quiet=True)

    def until_17(step):
        if step == 17:
            raise Stopped
        return batches(step)

    path = tmp_path / "model.pt"
    with pytest.raises(Stopped):
        train(small_model(), until_17, config, checkpoint=path, quiet=True)
    resumed = small_model(seed=9)
    assert train(resumed, batches, config, checkpoint=path, quiet=True) == log
    assert all(torch.equal(a, b) for a, b in zip(whole.parameters(), resumed.parameters()))
    assert [p.name for p in tmp_path.iterdir()] == ["model.pt"]


def test_a_crash_while_saving_leaves_the_old_checkpoint(tmp_path, monkeypatch):
    config = TrainingConfig(steps=20, checkpoint_every=10)
    batches = training.sentence_batches(sentences(), 8, 0, seed=0)
    path, saves = tmp_path / "model.pt", []

    def save(content, file):
        saves.append(1)
        if len(saves) == 2:
            file.write(b"half")
            raise Stopped
        real(content, file)

    real = torch.save
    monkeypatch.setattr(torch, "save", save)
    with pytest.raises(Stopped):
        train(small_model(), batches, config, checkpoint=path, quiet=True)
    assert len(torch.load(path, weights_only=True)["log"]["losses"]) == 10


def test_bad_checkpoints_are_refused(tmp_path):
    batches = training.sentence_batches(sentences(), 8, 0, seed=0)
    path = tmp_path / "model.pt"
    path.write_bytes(b"not a checkpoint")
    with pytest.raises(ValueError, match="damaged or not a checkpoint"):
        train(small_model(), batches, TrainingConfig(steps=2), checkpoint=path, quiet=True)
    path.unlink()
    train(small_model(), batches, TrainingConfig(steps=2), checkpoint=path, quiet=True)
    with pytest.raises(ValueError, match="was made with"):
        train(small_model(), batches, TrainingConfig(steps=3), checkpoint=path, quiet=True)
    model = small_model()
    with pytest.raises(ValueError, match="made with AdamW"):
        optimiser = training.SGD(model.parameters())
        train(model, batches, TrainingConfig(steps=2), checkpoint=path, quiet=True, optimiser=optimiser)


def test_a_loss_that_is_no_number_names_the_step():
    model = small_model()

    def poisoned(step):
        if step == 3:
            with torch.no_grad():
                next(model.parameters()).fill_(math.nan)
        return training.sentence_batches(sentences(), 8, 0, seed=0)(step)

    with pytest.raises(FloatingPointError, match="step 3: the loss is nan"):
        train(model, poisoned, TrainingConfig(steps=5), quiet=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"steps": 0}, "steps"),
        ({"steps": 5, "warmup_steps": 6}, "warmup_steps must be 0 … steps = 5"),
        ({"steps": 5, "decay": "step"}, "decay must be"),
        ({"steps": 5, "learning_rate": -1.0}, "must be positive"),
    ],
)
def test_bad_configurations(options, message):
    with pytest.raises(ValueError, match=message):
        TrainingConfig(**options)


def test_bad_batches():
    with pytest.raises(ValueError, match="at least 17"):
        training.stream_batches([1, 2, 3], 16, 2, seed=0)
    with pytest.raises(ValueError, match=r"sequences\[1\] is empty"):
        training.sentence_batches([[1], []], 2, 0, seed=0)
    with pytest.raises(ValueError, match="no target"):
        training.evaluate_loss(small_model(), [])


PARALLEL = """
import json, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
import os, torch
from test_training import sentences, small_model
from lmkit import training
torch.set_num_threads(1)
log = training.train(small_model(), training.sentence_batches(sentences(), 7, 0, seed=0),
                     training.TrainingConfig(steps=12, learning_rate=1e-2), quiet=True)
Path({out!r} + os.environ.get("RANK", "alone")).write_text(json.dumps(log.losses))
"""


@pytest.mark.slow
def test_two_processes_give_the_losses_of_one(tmp_path):
    script = tmp_path / "run.py"
    out = str(tmp_path / "losses-")
    script.write_text(PARALLEL.format(tests=os.path.dirname(__file__), out=out))
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", str(script)]
    for command in ([sys.executable, str(script)], launch):
        result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=180)
        assert result.returncode == 0, result.stderr[-2000:]
    alone, first, second = (np.array(eval((tmp_path / f"losses-{rank}").read_text())) for rank in ("alone", "0", "1"))
    assert np.array_equal(first, second)
    assert np.allclose(alone, first, rtol=1e-4)
