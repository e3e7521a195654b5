"""The shares of several processes add up to the step of one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.distributed as dist
from torch import nn

from lmkit.batches import IGNORE, shifted
from lmkit.data_parallel import join_processes, shared
from tests.doors import NOTHING, Door

ROOT = Path(__file__).resolve().parent.parent


class Bigram(nn.Module):
    """The next word from the last one, with a parameter that no loss needs and one that is frozen."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.linspace(-1, 1, 49, dtype=torch.float64).sin().view(7, 7))
        self.unused, self.frozen = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(3), requires_grad=False)


def gradients(model, batch):
    """As in training: of the mean over the targets of the batch."""
    model.zero_grad(set_to_none=True)
    loss = nn.functional.cross_entropy(model.table[batch[0]].flatten(0, 1), batch[1].flatten(), ignore_index=IGNORE)
    loss.backward()
    return loss.item()


@pytest.mark.parametrize("world", [2, 3, 5])
@pytest.mark.parametrize("lengths", [[1, 9, 2, 4, 4], [3], [1, 1, 8]])
def test_the_shares_add_up_to_the_whole_batch(monkeypatch, world, lengths):
    rng = np.random.default_rng(0)
    batch = shifted([rng.integers(1, 7, size=n) for n in lengths], bos_id=0)
    whole = Bigram()
    loss = gradients(whole, batch)
    sent = []
    for rank in range(world):
        monkeypatch.setattr(dist, "all_reduce", lambda total: sent.append(total.clone()))
        shared(gradients, rank, world)(Bigram(), batch)
    for rank in range(world):  # and now each gets the sum
        monkeypatch.setattr(dist, "all_reduce", lambda total: total.copy_(sum(sent)))
        model = Bigram()
        assert shared(gradients, rank, world)(model, batch) == pytest.approx(loss, rel=1e-12)
        assert torch.allclose(model.table.grad, whole.table.grad, rtol=0, atol=1e-14)
        assert model.unused.grad is None and model.frozen.grad is None


def test_alone_there_is_nobody_to_join():
    assert join_processes(Bigram()) == (0, 1)


TRAINING = """
import json, os, sys
from pathlib import Path
import torch
from lmkit.training import TrainingConfig, train
from tests.test_training import small_batches, small_model
torch.set_num_threads(1)
losses = []
for seed in (0, 1):  # a second training must find the other process, too
    first = os.environ.get("RANK", "0") == "0"
    model = small_model(seed if first else 9)  # rank 0's weights count, and its buffers
    model.register_buffer("every_other", torch.full((8,), 1.0 if first else 2.0)[::2])
    log = train(model, small_batches(), TrainingConfig(steps=8, learning_rate=1e-2), quiet=True)
    losses += log.losses + [sum(x.sum().item() for x in model.state_dict().values())]
Path(sys.argv[1] + os.environ.get("RANK", "alone")).write_text(json.dumps(losses))
"""

RESUMED = """
import json, os, sys, time
from pathlib import Path
import torch
from lmkit import training
from lmkit.batches import IGNORE
from lmkit.training import TrainingConfig, train
from tests.test_training import small_batches
torch.set_num_threads(1)
class Table(torch.nn.Embedding):
    # All is one tensor: with more, who sends the next one waits for the last readers.
    def __init__(self, seed):
        torch.manual_seed(seed)
        super().__init__(7, 7)
    def forward(self, tokens, targets):
        logits = super().forward(tokens)
        return logits, torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORE)
rank, checkpoint = int(os.environ.get("RANK", 0)), Path(sys.argv[1] + "model.pt")
exists, unlink, save, given = Path.exists, Path.unlink, training.save_checkpoint, small_batches()
def slow_to_look(self):
    if self != checkpoint or rank < 3 or late != "reading":
        return exists(self)
    time.sleep(0.5)  # what is there now …
    there = exists(self)
    time.sleep(2)  # … need not be there when it is read
    return there
def slow_to_delete(self, missing_ok=False):
    if self == checkpoint and late == "reading":
        time.sleep(1)  # so that the last one looks before
    unlink(self, missing_ok)
def slow_to_save(*arguments):
    if late == "saving":
        time.sleep(1)
    save(*arguments)
Path.exists, Path.unlink, training.save_checkpoint = slow_to_look, slow_to_delete, slow_to_save
config = TrainingConfig(steps=8, learning_rate=1e-2, checkpoint_every=4)
for late in ("saving", "reading"):
    if rank == 0 and os.path.exists(checkpoint):
        os.remove(checkpoint)
    model = Table(rank)
    def interrupted(step):
        return given(step) if step < 4 else 1 / 0
    try:
        train(model, interrupted, config, checkpoint=checkpoint, quiet=True)
    except ZeroDivisionError:
        log = train(Table(7), given, config, checkpoint=checkpoint, quiet=True)
    Path(f"{sys.argv[1]}{os.environ.get('RANK', 'alone')}").write_text(json.dumps(log.losses))
    if "RANK" in os.environ:
        torch.distributed.barrier()
if "RANK" in os.environ:  # a file each, of which only the first one's is written
    def again(step):
        return given(step) if step < 4 else 1 / 0
    for expected in (ZeroDivisionError, ValueError):
        try:
            train(Table(7), again, config, checkpoint=Path(f"{sys.argv[1]}{rank}.pt"), quiet=True)
        except expected as error:
            said = str(error)
    assert said == "all processes must go on from one step, got step 0 in one and 4 in another", said
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "text, several", [(TRAINING, 2), (RESUMED, 4)], ids=["whole", "resumed, and one of them is late"]
)
def test_several_processes_give_the_losses_of_one(tmp_path, text, several):
    """Of four, since the first one sends to two, of whom one sends on to the last: it cannot know that the last is late."""
    script, out = tmp_path / "run.py", str(tmp_path / "losses-")
    script.write_text(text)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={several}"]
    for command in ([sys.executable], launch):
        result = subprocess.run(
            [*command, str(script), out], env=environment, capture_output=True, text=True, timeout=180
        )
        assert result.returncode == 0, result.stderr[-2000:]
    alone, first, *others = (
        np.array(json.loads((tmp_path / f"losses-{rank}").read_text())) for rank in ("alone", *range(several))
    )
    assert all(np.array_equal(first, other) for other in others) and len(others) == several - 1
    assert np.allclose(alone, first, rtol=1e-4)


# --- Doors ------------------------------------------------------------------------------------------------------------

DOORS = [
    Door(
        join_processes,
        lambda: {"model": Bigram(), "steps": 4},
        {"model": [None, 3, "x", NOTHING, Bigram], "steps": [None, "x", -1, 2.5, True]},
    ),
    Door(
        shared,
        lambda: {"gradients": gradients, "rank": 1, "world": 3},
        {"gradients": "callable", "rank": [None, 3, -1, 1.0, True], "world": ["x", None, 0, 1, 2.0, True]},
    ),
]
