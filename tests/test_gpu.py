"""On a GPU every model says what it says on the CPU, learns the same and goes on from there; skipped where there is none."""

import copy
import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch

from lmkit.batches import IGNORE, packed_batches
from lmkit.checkpoint import load_checkpoint
from lmkit.decoding import beam_search, greedy, sample
from lmkit.optimisation import SGD, AdamW
from lmkit.recurrent import RecurrentConfig, RecurrentLM
from lmkit.seq2seq import SCORES, pair_batches
from lmkit.tagging import SequenceClassifier, SequenceTagger
from lmkit.training import TrainingConfig, evaluate_loss, train
from tests.test_neural import every_model, texts
from tests.test_seq2seq import small
from tests.test_training import muon, sentences, small_model

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
GPU = torch.device("cuda")
OPTIMISERS = {"SGD": lambda m: SGD(m.parameters(), 0.9), "AdamW": lambda m: AdamW(m.parameters()), "Muon": muon}


def on_gpu(model):
    """A copy of the model, on the GPU."""
    return copy.deepcopy(model).to(GPU)


def batches(step):
    return packed_batches(sentences(), 50, 0, 0)(step)


@every_model
def test_the_same_loss_and_gradients(model):
    a, b = texts(9, 4)
    tokens = torch.tensor([[0, *a[:-1]], [0, *b[:-1], *[0] * 5]])
    targets = torch.tensor([a.tolist(), [*b, *[IGNORE] * 5]])
    there = on_gpu(model)
    here = copy.deepcopy(model)
    loss = here(tokens, targets)[1]
    loss_there = there(tokens.to(GPU), targets.to(GPU))[1]
    torch.testing.assert_close(loss_there.cpu(), loss, rtol=1e-10, atol=1e-10)
    loss.backward()
    loss_there.backward()
    for p, q in zip(here.parameters(), there.parameters(), strict=True):
        torch.testing.assert_close(q.grad.cpu(), p.grad, rtol=1e-9, atol=1e-10)


@every_model
def test_the_same_probabilities_whole_and_step_by_step(model):
    there, sequences = on_gpu(model), texts(7, 11, 1, 5)
    for p, q in zip(model.log_probs_many(sequences), there.log_probs_many(sequences), strict=True):
        np.testing.assert_allclose(q, p, rtol=1e-9)
    reader, reader_there = model.reader([1, 2]), there.reader([1, 2])
    for rows, tokens in (([0, 0, 0], [3, 4, 5]), ([2, 0], [1, 1]), ([1, 1], [6, 7])):
        for one in (reader, reader_there):
            one.keep(rows)
            one.read(tokens)
        np.testing.assert_allclose(reader_there.log_probs, reader.log_probs, rtol=1e-9)


@every_model
def test_the_same_texts(model):
    there = on_gpu(model)
    assert greedy(there, [1], 20) == greedy(model, [1], 20)
    rngs = np.random.default_rng(5), np.random.default_rng(5)
    assert [sample(there, rngs[0], [1], 20) for _ in range(5)] == [sample(model, rngs[1], [1], 20) for _ in range(5)]
    for p, q in zip(beam_search(model, 4, [1], 12), beam_search(there, 4, [1], 12), strict=True):
        assert p[0] == q[0] and q[1] == pytest.approx(p[1], rel=1e-9)


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_a_training_is_the_one_on_the_cpu(optimiser):
    logs = []
    for device in ("cpu", GPU):
        model = small_model().double().to(device)
        config = TrainingConfig(30, 0.02, validate_every=10, clip_norm=1.0)
        held_out = [batches(1000)]
        log = train(model, batches, config, validation=held_out, optimiser=OPTIMISERS[optimiser](model), quiet=True)
        assert log.validation[-1][1] == evaluate_loss(model, held_out)
        logs.append(log)
    np.testing.assert_allclose(logs[1].losses, logs[0].losses, rtol=1e-7)
    np.testing.assert_allclose(logs[1].gradient_norms, logs[0].gradient_norms, rtol=1e-6)
    assert logs[1].losses[-1] < logs[1].losses[0]


@pytest.mark.parametrize(
    "make", [lambda: small_model(dropout=0.2), lambda: RecurrentLM(RecurrentConfig(7, dropout=0.2))]
)
def test_a_training_with_dropout_goes_on_where_it_stopped_and_leaves_the_generators_alone(make, tmp_path):
    def run(steps, name):
        model = make().to(GPU)
        log = train(model, batches, config(steps), checkpoint=tmp_path / name, quiet=True)
        return log.losses, model

    def config(steps):
        return TrainingConfig(20, 0.01, checkpoint_every=steps)

    before = torch.cuda.get_rng_state(), torch.get_rng_state()
    whole, model = run(20, "whole")
    assert all(map(torch.equal, before, (torch.cuda.get_rng_state(), torch.get_rng_state())))

    class Stopped(Exception):
        """The power went off."""

    def until(step):
        if step == 12:
            raise Stopped
        return batches(step)

    with pytest.raises(Stopped):
        train(make().to(GPU), until, config(5), checkpoint=tmp_path / "halves", quiet=True)
    assert len(load_checkpoint(tmp_path / "halves")["log"]["losses"]) == 10
    halves, again = run(5, "halves")
    np.testing.assert_allclose(halves, whole, rtol=1e-5)
    for p, q in zip(model.parameters(), again.parameters(), strict=True):
        torch.testing.assert_close(p, q, rtol=1e-3, atol=1e-5)
    saved = load_checkpoint(tmp_path / "whole")["model"]  # and a machine without a GPU reads it
    for name, tensor in model.state_dict().items():
        assert saved[name].device.type == "cpu" and torch.equal(saved[name], tensor.cpu())


@pytest.mark.parametrize("score", SCORES)
def test_an_encoder_decoder(score):
    model = small(score).double()
    there = on_gpu(model)
    assert there.greedy(["ab", "c", "bca"], 12)[0] == model.greedy(["ab", "c", "bca"], 12)[0]
    a, b = (beam_search(m.given("abc"), 3, max_tokens=8) for m in (model, there))
    assert [h[0] for h in a] == [h[0] for h in b]
    pairs = [("ab", "ba"), ("abc", "cba"), ("c", "c")]
    logs = [train(m, pair_batches(m, pairs, 8, 0), TrainingConfig(10, 0.01), quiet=True) for m in (model, there)]
    np.testing.assert_allclose(logs[1].losses, logs[0].losses, rtol=1e-7)


@pytest.mark.parametrize("kind", [SequenceTagger, SequenceClassifier])
def test_a_tagger(kind):
    model = kind(RecurrentConfig(9, "gru", 5, 6, bidirectional=True), 4).double()
    there = on_gpu(model)
    for p, q in zip(model.predict(texts(3, 8, 1)), there.predict(texts(3, 8, 1)), strict=True):
        np.testing.assert_array_equal(p, q)


@pytest.mark.parametrize("options", [{}, {"positions": "rotary", "norm": "RMS", "activation": "swiglu"}])
def test_half_precision(options):
    whole = small_model(**options).to(GPU)
    expected = whole.log_probs(texts(12)[0] % 7)
    half = copy.deepcopy(whole).bfloat16()
    np.testing.assert_allclose(half.log_probs(texts(12)[0] % 7), expected, atol=0.05)
    with torch.autocast("cuda", torch.bfloat16):
        np.testing.assert_allclose(whole.log_probs(texts(12)[0] % 7), expected, atol=0.05)
    assert len(greedy(half, [1], 10, None)) == 10


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_a_process_among_others_trains_on_either(device):
    """Where there is a GPU, a model that is on the CPU is not sent through it."""
    script = f"""
import json, torch.distributed as dist
from lmkit.training import TrainingConfig, train
from tests.test_gpu import batches, small_model
model = small_model().double().to("{device}")
losses = train(model, batches, TrainingConfig(5, 0.01), quiet=True).losses
assert dist.is_initialized()
print(json.dumps(losses))
"""
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=1", "--no-python"]
    done = subprocess.run(
        [*torchrun, sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    alone = train(small_model().double(), batches, TrainingConfig(5, 0.01), quiet=True).losses
    np.testing.assert_allclose(json.loads(done.stdout.splitlines()[-1]), alone, rtol=1e-7)
