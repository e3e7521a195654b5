"""Optimisers against torch's, batches against their definition, training that resumes and divides exactly."""

import math
import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
import torch

from lmkit import training
from lmkit.batches import held_out_sentences, sentence_batches
from lmkit.optimisation import SGD, Muon
from lmkit.training import TrainingConfig, train
from lmkit.transformer import TransformerConfig, TransformerLM


def small_model(seed=0, **options):
    sizes = {"vocab_size": 7, "context_length": 16, "n_layers": 1, "n_heads": 2, "d_model": 16}
    return TransformerLM(TransformerConfig(**sizes | options), seed)


def sentences(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return [np.append(rng.integers(2, 7, size=rng.integers(1, 12)), 1) for _ in range(n)]


def test_schedule():
    config = TrainingConfig(steps=100, learning_rate=1.0, warmup_steps=10, final_learning_rate=0.2)
    rates = [training.scheduled_learning_rate(s, config) for s in range(100)]
    assert math.isclose(rates[0], 0.1) and math.isclose(rates[9], 1.0) and math.isclose(rates[55], 0.6)
    assert all(a >= b for a, b in pairwise(rates[9:])) and rates[-1] > 0.2


def test_evaluate_loss_counts_every_token_once():
    model, rows = small_model(), sentences(30)
    expected = -np.concatenate(model.log_probs_many(rows)).mean()
    losses = [training.evaluate_loss(model, held_out_sentences(rows, size, bos_id=0)) for size in (1, 4, 30)]
    assert np.allclose(losses, losses[0], rtol=1e-5)
    # the model's own distribution leaves out <bos>, which cross-entropy in training does not
    assert losses[0] > expected


def test_a_loss_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no target"):
        training.evaluate_loss(small_model(), [])


def test_training_learns_and_repeats_itself():
    rows = [np.array([2, 3, 4, 5, 6, 1])] * 8
    config = TrainingConfig(steps=120, learning_rate=1e-2, warmup_steps=5, validate_every=60)
    logs = [
        train(small_model(), sentence_batches(rows, 4, 0, seed=0), config, quiet=True,
              validation=held_out_sentences(rows, 8, 0))
        for _ in range(2)
    ]  # fmt: skip
    assert logs[0] == logs[1] and logs[0].losses[-1] < 0.05 < logs[0].losses[0]
    assert [step for step, _ in logs[0].validation] == [60, 120]


class Stopped(Exception):
    """The power went off."""


def muon(model):
    matrices = [p for p in model.blocks.parameters() if p.ndim == 2]
    return Muon(matrices, [p for p in model.parameters() if all(p is not m for m in matrices)], weight_decay=0.1)


@pytest.mark.parametrize("optimiser", [None, muon], ids=["AdamW", "Muon"])
def test_an_interrupted_training_resumes_to_the_same_numbers(tmp_path, optimiser):
    def run(model, batches, **options):
        return train(model, batches, config, optimiser=optimiser and optimiser(model), quiet=True, **options)

    config = TrainingConfig(steps=30, learning_rate=1e-2, checkpoint_every=10)
    batches = sentence_batches(sentences(), 8, 0, seed=0)
    whole = small_model()
    log = run(whole, batches)

    def until_17(step):
        if step == 17:
            raise Stopped
        return batches(step)

    path = tmp_path / "model.pt"
    with pytest.raises(Stopped):
        run(small_model(), until_17, checkpoint=path)
    resumed = small_model(seed=9)
    assert run(resumed, batches, checkpoint=path) == log
    assert all(torch.equal(a, b) for a, b in zip(whole.parameters(), resumed.parameters()))
    assert [p.name for p in tmp_path.iterdir()] == ["model.pt"]


def test_a_crash_while_saving_leaves_the_old_checkpoint(tmp_path, monkeypatch):
    config = TrainingConfig(steps=20, checkpoint_every=10)
    batches = sentence_batches(sentences(), 8, 0, seed=0)
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
    batches = sentence_batches(sentences(), 8, 0, seed=0)
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
        optimiser = SGD(model.parameters())
        train(model, batches, TrainingConfig(steps=2), checkpoint=path, quiet=True, optimiser=optimiser)


def test_a_loss_that_is_no_number_names_the_step():
    model = small_model()

    def poisoned(step):
        if step == 3:
            with torch.no_grad():
                next(model.parameters()).fill_(math.nan)
        return sentence_batches(sentences(), 8, 0, seed=0)(step)

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


PARALLEL = """
import json, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
import os, torch
from test_training import sentences, small_model
from lmkit import training
from lmkit.batches import sentence_batches
torch.set_num_threads(1)
losses = []
for model in (small_model(), small_model(ngram_order=3, ngram_rows=50)):  # the second has a sparse gradient
    log = training.train(model, sentence_batches(sentences(), 7, 0, seed=0),
                         training.TrainingConfig(steps=12, learning_rate=1e-2), quiet=True)
    losses += log.losses
Path({out!r} + os.environ.get("RANK", "alone")).write_text(json.dumps(losses))
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
