"""Training that learns, repeats itself, resumes to the same numbers and refuses what does not belong together."""

import io
import itertools
import math
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from lmkit import training
from lmkit.batches import IGNORE, held_out_sentences, packed_batches
from lmkit.checkpoint import load_checkpoint
from lmkit.checks import check_id_tensor
from lmkit.optimisation import SGD, AdamW, Muon
from lmkit.recurrent import RecurrentConfig
from lmkit.tagging import SequenceClassifier
from lmkit.training import TrainingConfig, evaluate_loss, scheduled_learning_rate, train
from lmkit.transformer import TransformerConfig, TransformerLM
from tests.doors import INF, NAN, NOTHING, Door


def small_model(seed=0, **options):
    sizes = {"vocab_size": 7, "context_length": 16, "n_layers": 1, "n_heads": 2, "d_model": 16}
    return TransformerLM(TransformerConfig(**sizes | options), seed)


def sentences(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return [np.append(rng.integers(2, 7, size=rng.integers(1, 12)), 1) for _ in range(n)]


def small_batches(seed=0):
    return packed_batches(sentences(), 50, 0, seed)


def muon(model):
    matrices = [p for p in model.blocks.parameters() if p.ndim == 2]
    return Muon(matrices, [p for p in model.parameters() if all(p is not m for m in matrices)], weight_decay=0.1)


class Dropping(nn.Module):
    """The next word from the last one alone, with dropout."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Embedding(7, 8), nn.Dropout(0.5), nn.Linear(8, 7))
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.linspace(-0.5, 0.5, p.numel()).sin().view_as(p) + 0.1 * i)

    def forward(self, tokens, targets):
        check_id_tensor(tokens, "tokens", 7)
        check_id_tensor(targets, "targets", 7, lowest=IGNORE)
        logits = self.layers(tokens)
        return logits, nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORE)


class Stopped(Exception):
    """The power went off."""


# --- The schedule -----------------------------------------------------------------------------------------------------


def test_schedule():
    config = TrainingConfig(steps=100, learning_rate=1.0, warmup_steps=10, final_learning_rate=0.2)
    rates = [scheduled_learning_rate(s, config) for s in range(100)]
    assert math.isclose(rates[0], 0.1) and math.isclose(rates[9], 1.0) and math.isclose(rates[55], 0.6)
    assert all(a >= b for a, b in pairwise(rates[9:])) and rates[-1] > 0.2


@pytest.mark.parametrize("decay", ["cosine", "linear", "constant"])
def test_after_the_last_step_the_learning_rate_stays(decay):
    config = TrainingConfig(steps=10, learning_rate=1.0, decay=decay, final_learning_rate=0.2)
    end = 1.0 if decay == "constant" else 0.2
    assert [scheduled_learning_rate(step, config) for step in (10, 11, 15, 20, 1000)] == pytest.approx([end] * 5)


def test_steps_and_settings_may_be_numpys_small_integers():
    config = TrainingConfig(np.uint8(255), 1.0, warmup_steps=np.uint8(200), seed=np.uint8(7))
    assert scheduled_learning_rate(np.uint8(255), TrainingConfig(300, 1.0, 256)) == 1.0  # 255 + 1 wraps around
    assert scheduled_learning_rate(np.uint8(199), config) == 1.0 and scheduled_learning_rate(np.uint8(255), config) == 0
    config = TrainingConfig(1000, np.uint8(2), warmup_steps=500, clip_norm=np.float16(1))  # 2 times 201 wraps around
    assert scheduled_learning_rate(200, config) == pytest.approx(0.804)
    assert repr(config) == repr(TrainingConfig(1000, 2.0, warmup_steps=500))  # by which a checkpoint knows it again


def test_batches_may_be_the_items_of_a_list():
    batches = [small_batches()(step) for step in range(2)]
    logs = [train(small_model(), b, TrainingConfig(2), quiet=True) for b in (batches.__getitem__, small_batches())]
    assert logs[0].losses == logs[1].losses


@pytest.mark.parametrize(
    "change", [lambda x: x.to("meta"), lambda x: x.to_sparse(), lambda x: torch.nested.nested_tensor(list(x))]
)
def test_batches_without_numbers_are_refused(change):
    batch = small_batches()(0)
    for bad in ((change(batch[0]), batch[1]), (batch[0], change(batch[1]))):
        with pytest.raises(ValueError, match=r"batches\(0\) must be dense tensors"):
            train(small_model(), lambda step, bad=bad: bad, TrainingConfig(1), quiet=True)
        with pytest.raises(ValueError, match=r"batches\[0\] must be dense tensors"):
            evaluate_loss(small_model(), [bad])


def test_linear_and_constant():
    for decay, middle in (("linear", 0.6), ("constant", 1.0)):
        assert math.isclose(scheduled_learning_rate(5, TrainingConfig(10, 1.0, 0, decay, 0.2)), middle)


def test_every_step_goes_as_far_as_schedule_and_clipping_say():
    """With plain SGD the way from one step to the next is η_t · min(‖g‖, clip)."""
    config = TrainingConfig(steps=12, learning_rate=0.3, warmup_steps=4, clip_norm=0.9)
    model, places, batches = small_model(), [], small_batches()

    def watched(step):
        places.append(torch.cat([p.detach().flatten().double() for p in model.parameters()]))
        return batches(step)

    log = train(model, watched, config, optimiser=SGD(model.parameters()), quiet=True)
    lengths = [(b - a).norm().item() for a, b in pairwise(places)]
    expected = [scheduled_learning_rate(t, config) * min(log.gradient_norms[t], 0.9) for t in range(11)]
    assert min(log.gradient_norms) < 0.9 and any(0.9 < norm < 2 * 0.9 for norm in log.gradient_norms)
    assert lengths == pytest.approx(expected, rel=1e-4)


# --- Losses -----------------------------------------------------------------------------------------------------------


def test_evaluate_loss_counts_every_token_once():
    model, rows = small_model(), sentences(30)
    expected = -np.concatenate(model.log_probs_many(rows)).mean()
    losses = [evaluate_loss(model, held_out_sentences(rows, size, bos_id=0)) for size in (1, 4, 30)]
    assert np.allclose(losses, losses[0], rtol=1e-5)
    # the model's own distribution leaves out <bos>, which cross-entropy in training does not
    assert losses[0] > expected


def test_evaluating_switches_dropout_off_and_on_again():
    model, held_out = Dropping().train(), held_out_sentences(sentences(), 8, 0)
    assert evaluate_loss(model, held_out) == evaluate_loss(model, held_out) and model.training
    model.eval().layers[1].train()  # as a part is that was put in later
    assert evaluate_loss(model, held_out) == evaluate_loss(model, held_out)
    assert [part.training for part in model.modules()] == [False, False, False, True, False]
    model.train()
    with pytest.raises(ValueError, match="batches.0. does not fit the model: targets holds 2 … 9"):
        evaluate_loss(model, held_out_sentences([[2, 9]], 1, 0))
    assert model.training


class Constant(Dropping):
    """Its loss hangs on no parameter, or is none at all."""

    loss = torch.zeros(())

    def forward(self, tokens, targets):
        return None, self.loss


def test_a_loss_must_be_a_real_number_that_hangs_on_the_parameters():
    model = Constant()
    with pytest.raises(ValueError, match="model must give a mean loss that depends on its parameters"):
        train(model, small_batches(), TrainingConfig(1), quiet=True)
    for model.loss in (torch.zeros((), dtype=torch.complex64), torch.zeros(1), None, 0.5):
        with pytest.raises(ValueError, match=r"model must give \(logits, mean loss\)"):
            train(model, small_batches(), TrainingConfig(1), quiet=True)


def test_batches_of_too_many_tensors_do_not_fit():
    tokens, targets = small_batches()(0)
    for batch in ((tokens, tokens, targets), (tokens, tokens, tokens, targets)):
        with pytest.raises(ValueError, match="batches does not fit the model"):
            train(Dropping(), lambda step, b=batch: b, TrainingConfig(1), quiet=True)
        with pytest.raises(ValueError, match=r"batches\[0\] does not fit the model"):
            evaluate_loss(Dropping(), [batch])


def test_batches_of_unequal_rows_are_refused():
    tokens, targets = small_batches()(0)
    with pytest.raises(ValueError, match=r"batches\(0\) must be dense tensors of as many rows each"):
        train(Dropping(), lambda step: (tokens, targets[1:]), TrainingConfig(1), quiet=True)


class Unchecked(Dropping):
    """Leaves it to torch to find what is wrong with its tokens, and saves more than tensors."""

    def forward(self, tokens, targets):
        return None, self.layers(tokens).square().mean()

    def get_extra_state(self):
        return {"language": "English"}

    def set_extra_state(self, state):
        assert state == {"language": "English"}


def test_tokens_that_the_model_has_not_do_not_fit():
    with pytest.raises(ValueError, match="batches does not fit the model: index out of range"):
        train(Unchecked(), lambda step: (torch.full((1, 2), 99),) * 2, TrainingConfig(1), quiet=True)


def test_what_a_model_saves_beside_its_tensors_comes_back(tmp_path):
    options = {"config": TrainingConfig(2), "checkpoint": tmp_path / "model.pt", "quiet": True}
    log = train(Unchecked(), small_batches(), **options)
    assert train(Unchecked(), no_batch_but_the_first, **options) == log


def test_a_training_that_fails_leaves_the_model_out_of_training():
    def stopping(step):
        if step == 2:
            raise Stopped
        return small_batches()(step)

    model = Dropping()
    with pytest.raises(Stopped):
        train(model, stopping, TrainingConfig(5), quiet=True)
    assert not any(part.training for part in model.modules())


@pytest.mark.slow
def test_training_learns_and_repeats_itself():
    rows = [np.array([2, 3, 4, 5, 6, 1])] * 8
    config = TrainingConfig(steps=50, learning_rate=2e-2, warmup_steps=5, validate_every=25)
    logs = [
        train(small_model(), packed_batches(rows, 24, 0, seed=0), config, quiet=True,
              validation=held_out_sentences(rows, 8, 0))
        for _ in range(2)
    ]  # fmt: skip
    assert logs[0] == logs[1] and logs[0].losses[-1] < 0.05 < logs[0].losses[0]
    assert [step for step, _ in logs[0].validation] == [25, 50]


def test_validation_is_the_loss_on_held_out_text_at_that_step():
    held_out, model = held_out_sentences(sentences(20, seed=5), 8, 0), small_model()
    log = train(model, small_batches(), TrainingConfig(steps=7, validate_every=3), validation=held_out, quiet=True)
    assert [step for step, _ in log.validation] == [3, 6, 7]
    assert log.validation[-1][1] == evaluate_loss(model, held_out) and not model.training


def test_dropout_depends_on_the_seed_and_leaves_torchs_own_state():
    def losses(seed):
        model, before = Dropping(), torch.random.get_rng_state()
        log = train(model, small_batches(), TrainingConfig(steps=6, seed=seed), quiet=True)
        assert torch.equal(torch.random.get_rng_state(), before)
        return log.losses

    first = losses(0)
    assert losses(0) == first and losses(1) != first
    assert train(Dropping().eval(), small_batches(), TrainingConfig(steps=6), quiet=True).losses == first
    # and every step drops other numbers
    same = packed_batches(sentences(8), 1000, 0, seed=0)(0)
    still = TrainingConfig(steps=6, learning_rate=1e-30)
    assert len(set(train(Dropping(), lambda step: same, still, quiet=True).losses)) == 6


def test_a_loss_that_is_no_number_names_the_step_and_leaves_the_model():
    model = small_model()
    before = []

    def poisoned(step):
        if step == 3:
            before.extend(p.detach().clone() for p in model.parameters())
            model.final_norm.weight.register_hook(lambda g: g * math.nan)
        return small_batches()(step)

    with pytest.raises(FloatingPointError, match="step 3: the loss is .* and the norm of the gradient nan"):
        train(model, poisoned, TrainingConfig(steps=5), quiet=True)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters()))


# --- Checkpoints ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "optimiser"),
    [
        (small_model, lambda model: None),
        (small_model, muon),
        (lambda: small_model(dropout=0.3), lambda model: None),
        (Dropping, lambda model: None),
    ],
    ids=["AdamW", "Muon", "dropout", "without config"],
)
def test_an_interrupted_training_resumes_to_the_same_numbers(tmp_path, make, optimiser):
    config = TrainingConfig(steps=15, learning_rate=1e-2, checkpoint_every=5, validate_every=4)
    batches, held_out = small_batches(), held_out_sentences(sentences(4, 3), 8, 0)

    def run(model, batches, **options):
        return train(model, batches, config, optimiser=optimiser(model), validation=held_out, quiet=True, **options)

    whole = make()
    log = run(whole, batches)

    def until_8(step):
        if step == 8:
            raise Stopped
        return batches(step)

    path = tmp_path / "deep" / "model.pt"
    with pytest.raises(Stopped):
        run(make(), until_8, checkpoint=path)
    resumed = make()
    with torch.no_grad():
        for p in resumed.parameters():
            p.zero_()
    assert run(resumed, batches, checkpoint=path) == log
    assert all(torch.equal(a, b) for a, b in zip(whole.parameters(), resumed.parameters()))
    assert run(make(), batches, checkpoint=path) == log  # nothing is left to do
    assert [p.name for p in path.parent.iterdir()] == ["model.pt"]


def test_seconds_are_those_of_all_runs(tmp_path, monkeypatch):
    monkeypatch.setattr("lmkit.training.time", SimpleNamespace(monotonic=itertools.count().__next__))
    batches, path, config = small_batches(), tmp_path / "model.pt", TrainingConfig(steps=10, checkpoint_every=1)

    def until_9(step):
        if step == 9:
            raise Stopped
        return batches(step)

    with pytest.raises(Stopped):
        train(Dropping(), until_9, config, checkpoint=path, quiet=True)
    before = load_checkpoint(path)["log"]["seconds"]
    assert before == 9 and train(Dropping(), batches, config, checkpoint=path, quiet=True).seconds == before + 1


OTHERS = {
    "state.embedding.weight was (7, 16, torch.float32), is (7, 16, torch.float64); ": {
        "model": lambda: small_model().double()
    },
    "model.n_heads was 2, is 1": {"model": lambda: small_model(n_heads=1)},
    "model.activation was 'gelu', is 'relu'": {"model": lambda: small_model(activation="relu")},
    "model.kind was 'TransformerLM', is 'Dropping'": {"model": Dropping},
    "optimiser.betas was (0.9, 0.99), is (0.9, 0.9)": {
        "optimiser": lambda model: AdamW(model.parameters(), betas=(0.9, 0.9))
    },
    "optimiser.kind was 'AdamW', is 'SGD'": {"optimiser": lambda model: SGD(model.parameters())},
    "updated.parameters[0] was 'embedding.weight', is 'final_norm.bias'; ": {
        "optimiser": lambda model: AdamW(reversed(list(model.parameters())))
    },
    "training.learning_rate was 0.001, is 0.002": {"config": TrainingConfig(steps=2, learning_rate=2e-3)},
    "training.seed was 0, is 1": {"config": TrainingConfig(steps=2, seed=1)},
    "batches.first was ": {"batches": small_batches(seed=1)},
}


@pytest.mark.parametrize("difference", OTHERS)
def test_a_checkpoint_of_another_training_is_refused_and_the_difference_named(tmp_path, difference):
    path, other = tmp_path / "model.pt", OTHERS[difference]
    train(small_model(), small_batches(), TrainingConfig(steps=2), checkpoint=path, quiet=True)
    model = other.get("model", small_model)()
    before = [p.detach().clone() for p in model.parameters()]
    with pytest.raises(ValueError, match=f"checkpoint .* was saved with other settings: .*{re.escape(difference)}"):
        train(
            model,
            other.get("batches", small_batches()),
            other.get("config", TrainingConfig(steps=2)),
            optimiser=other.get("optimiser", lambda model: None)(model),
            checkpoint=path,
            quiet=True,
        )
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters()))


def test_targets_that_lie_apart_in_memory_can_be_kept(tmp_path):
    model, table = SequenceClassifier(RecurrentConfig(10, "gru", 4, 4), 3), torch.arange(6).reshape(3, 2) % 3
    tokens = torch.arange(15).reshape(3, 5) % 10
    for targets in (table[:, 0], torch.tensor(2).expand(3)):
        log = train(model, lambda _, t=targets: (tokens, t), TrainingConfig(2), checkpoint=tmp_path / "c", quiet=True)
        assert len(log.losses) == 2
        (tmp_path / "c").unlink()


def test_a_checkpoint_of_other_shapes_without_a_config_is_refused(tmp_path):
    def run(width=1, p=0.5, dtype=torch.float32):
        model = Dropping()
        model.more = nn.Sequential(*[nn.Linear(2, 2) for _ in range(30)], nn.Linear(width, 2), nn.Dropout(p))
        model.register_buffer("scale", torch.ones(3, dtype=dtype))
        train(model, small_batches(), TrainingConfig(steps=2), checkpoint=tmp_path / "model.pt", quiet=True)

    run()
    for other, difference in [  # of which none is within the first 200 characters of what the model says of itself
        ({"p": 0.1}, r"settings: layers\.more\.31 was 'Dropout\(p=0\.5, .*', is 'Dropout\(p=0\.1, .*'\. Use another"),
        (
            {"width": 5},
            r"; state\.more\.30\.weight was \(2, 1, torch.float32\), is \(2, 5, torch.float32\)\. Use",
        ),
        ({"dtype": torch.float64}, r"settings: state\.scale was \(3, torch.float32\), is \(3, torch.float64\)\. Use"),
        ({"p": 0.1, "width": 5}, r"is 'Dropout\(p=0\.1.*; state\.more\.30\.weight was .*5, torch.float32\)\. Use"),
    ]:
        with pytest.raises(ValueError, match=difference):
            run(**other)
    (tmp_path / "model.pt").unlink()
    run(dtype=torch.float64)
    with pytest.raises(
        ValueError, match=r"settings: state\.scale was \(3, torch.float64\), is \(3, torch.float32\)\. Use"
    ):
        run()


def test_an_optimiser_may_have_lists_of_something_else_than_parameters(tmp_path):
    optimiser, path = SGD((model := small_model()).parameters()), tmp_path / "model.pt"
    optimiser.notes = [0.5, "x"]
    train(model, small_batches(), TrainingConfig(2), optimiser=optimiser, checkpoint=path, quiet=True)
    assert len(load_checkpoint(path)["log"]["losses"]) == 2


def test_muon_with_its_matrices_divided_otherwise_is_refused(tmp_path):
    path = tmp_path / "model.pt"

    def run(n):
        model = small_model()
        matrices = [p for p in model.blocks.parameters() if p.ndim == 2]
        others = [p for p in model.parameters() if all(p is not m for m in matrices)]
        optimiser = Muon(matrices[:n], matrices[n:] + others)
        train(model, small_batches(), TrainingConfig(steps=2), optimiser=optimiser, checkpoint=path, quiet=True)

    run(4)
    with pytest.raises(
        ValueError, match=r"updated.matrices\[3\] was 'blocks.0.feed_forward.W_down.weight', is not there"
    ):
        run(3)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    path = tmp_path / "model.pt"
    path.write_bytes(b"not a checkpoint")
    with pytest.raises(ValueError, match="checkpoint .* is damaged or not a checkpoint"):
        train(small_model(), small_batches(), TrainingConfig(steps=2), checkpoint=path, quiet=True)


def test_a_crash_while_saving_leaves_the_old_checkpoint(tmp_path, monkeypatch):
    saves, path = [], tmp_path / "model.pt"

    def save(content, file):
        saves.append(1)
        if len(saves) == 3:  # the first before the first step
            file.write(b"half")
            raise Stopped
        real(content, file)

    real = torch.save
    monkeypatch.setattr(torch, "save", save)
    with pytest.raises(Stopped):
        train(small_model(), small_batches(), TrainingConfig(20, checkpoint_every=10), checkpoint=path, quiet=True)
    assert len(load_checkpoint(path)["log"]["losses"]) == 10


def test_a_file_that_cannot_be_written_is_told_before_the_first_step(tmp_path):
    (tmp_path / "file").touch()
    asked = []
    with pytest.raises(ValueError, match="checkpoint .* cannot be written"):
        train(
            model := small_model(),
            lambda step: asked.append(step) or small_batches()(step),
            TrainingConfig(steps=2),
            checkpoint=tmp_path / "file/model.pt",
            quiet=True,
        )
    assert asked == [0]  # which tells texts apart
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), small_model().parameters(), strict=True))


def test_a_held_out_text_that_does_not_fit_is_told_before_the_first_step():
    model, steps, good = small_model(), [], small_batches()(0)
    for wrong, why in (
        (tuple(99 + x for x in good), "tokens holds"),
        ((torch.ones(1, 17).long(),) * 2, "tokens has length"),
    ):
        for at, held_out in enumerate(([wrong, good], [good, wrong])):
            with pytest.raises(ValueError, match=rf"validation\[{at}\] does not fit the model: {why}"):
                train(model, lambda step: steps.append(step), TrainingConfig(2), validation=held_out, quiet=True)
    assert steps == []


def test_where_no_step_is_left_held_out_text_is_not_read(tmp_path, monkeypatch):
    options = {"config": TrainingConfig(2), "validation": [small_batches()(0)], "checkpoint": tmp_path / "model.pt"}
    log = train(small_model(), small_batches(), **options, quiet=True)
    monkeypatch.setattr(training, "_evaluate_loss", None)
    assert train(small_model(), small_batches(), **options, quiet=True) == log


def test_the_look_at_held_out_text_leaves_torchs_own_state():
    model, before = small_model(), torch.get_rng_state()
    model.register_forward_pre_hook(lambda *_: torch.rand(1) and None)
    train(model, small_batches(), TrainingConfig(2), validation=[small_batches()(0)], quiet=True)
    assert torch.equal(before, torch.get_rng_state())


def test_a_name_that_is_too_long_for_a_file_is_told(tmp_path):
    with pytest.raises(ValueError, match="checkpoint x{300} cannot be written"):
        train(small_model(), small_batches(), TrainingConfig(2), checkpoint="x" * 300, quiet=True)
    with pytest.raises(ValueError, match="checkpoint a\0b cannot be written"):
        train(small_model(), small_batches(), TrainingConfig(2), checkpoint="a\0b", quiet=True)


def test_a_training_that_did_no_step_leaves_no_checkpoint(tmp_path):
    path, ones = tmp_path / "model.pt", torch.ones(1, 2, dtype=torch.int64)
    with pytest.raises(ValueError, match="batches does not fit the model"):
        train(small_model(), lambda step: (99 * ones, ones), TrainingConfig(2), checkpoint=path, quiet=True)
    assert not path.exists()  # or the mended batches were those of another training
    train(small_model(), small_batches(), TrainingConfig(3, checkpoint_every=2), checkpoint=path, quiet=True)
    assert len(load_checkpoint(path)["log"]["losses"]) == 3  # the end is saved too


def no_batch_but_the_first(step):
    assert step == 0, "the training began anew"
    return small_batches()(step)


def test_another_name_of_a_checkpoint_is_the_same_one(tmp_path, monkeypatch):
    train(small_model(), small_batches(), TrainingConfig(2), checkpoint=tmp_path / "c", quiet=True)
    written = (tmp_path / "c").stat().st_mtime_ns
    monkeypatch.chdir(tmp_path)
    for name in ("c/", "c/.", "c/./", "nowhere/../c", "c/../c", Path("nowhere/../c"), Path("./c")):
        log = train(small_model(), no_batch_but_the_first, TrainingConfig(2), checkpoint=name, quiet=True)
        assert len(log.losses) == 2 and os.listdir(tmp_path) == ["c"], name
    assert (tmp_path / "c").stat().st_mtime_ns > written  # saved again, as what it was
    with pytest.raises(ValueError, match="training.steps was 2, is 3"):
        train(small_model(), small_batches(), TrainingConfig(3), checkpoint=f"{tmp_path}/c/", quiet=True)
    assert len(load_checkpoint(tmp_path / "c")["log"]["losses"]) == 2


class Shy(nn.Module):
    """A layer with a text of its own, and a table that grows and that no checkpoint keeps."""

    def __init__(self, p):
        super().__init__()
        self.p = p
        self.register_buffer("table", torch.zeros(1), persistent=False)

    def forward(self, x):
        self.table = torch.zeros(len(self.table) + 1)
        return self.p * x

    def __repr__(self):
        return f"Shy of {self.p}"


def test_of_a_model_without_a_config_every_layers_text_counts_and_buffers_that_are_kept(tmp_path):
    def run(p, model=None):
        model = model or Dropping()
        model.layers.insert(1, Shy(p))
        model.more = nn.ModuleList(nn.Dropout(p) for _ in range(9))
        config = TrainingConfig(2, learning_rate=0.1 * p)
        train(model, small_batches(), config, checkpoint=tmp_path / "c", quiet=True)
        return model

    model = run(0.5)
    train(model, small_batches(), TrainingConfig(2, learning_rate=0.05), checkpoint=tmp_path / "c", quiet=True)
    said = r"settings: training.learning_rate was 0.05, is 0.025; layers.layers.1 was 'Shy of 0.5', is 'Shy of 0.25'; "
    with pytest.raises(ValueError, match=said.replace("'", ".") + r".*; layers\.more\.2 was .*; 6 more\. Use another"):
        run(0.25)


def test_a_checkpoint_may_be_a_link_to_where_nothing_is_yet(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "drive")
    with pytest.raises(ValueError, match="does not fit"):
        wrong = [tuple(99 + x for x in small_batches()(0))]
        train(
            small_model(),
            small_batches(),
            TrainingConfig(2),
            validation=wrong,
            checkpoint=tmp_path / "link",
            quiet=True,
        )
    assert (tmp_path / "link").is_symlink() and not (tmp_path / "drive").exists()
    train(small_model(), small_batches(), TrainingConfig(2), checkpoint=tmp_path / "link", quiet=True)
    assert (tmp_path / "link").is_symlink() and len(load_checkpoint(tmp_path / "drive")["log"]["losses"]) == 2


def test_a_checkpoint_that_was_there_stays_also_if_it_holds_no_step(tmp_path, monkeypatch):
    path, config = tmp_path / "model.pt", TrainingConfig(2)
    with monkeypatch.context() as patch:  # as an interrupt between the two leaves it
        patch.setattr("lmkit.training.Path.unlink", lambda self, missing_ok=False: missing_ok or 1 / 0)
        with pytest.raises(ZeroDivisionError):
            train(small_model(seed=5), small_batches(), config, checkpoint=path, quiet=True)
    batches = small_batches()
    for _ in range(2):  # interrupted in its first step, and again: it is seed 5's numbers that go on
        given = iter([batches(0)])  # the settings' own; the first step's is not to be had

        def interrupted(step, given=given):
            return next(given, None) or 1 / 0

        with pytest.raises(ZeroDivisionError):
            train(small_model(), interrupted, config, checkpoint=path, quiet=True)
        assert path.exists()
    on, whole = small_model(), small_model(seed=5)
    assert train(on, small_batches(), config, checkpoint=path, quiet=True) == train(
        whole, small_batches(), config, quiet=True
    )


# --- Progress ---------------------------------------------------------------------------------------------------------


def test_progress_shows_steps_and_losses_and_quiet_is_quiet():
    shown = io.StringIO()
    held_out = held_out_sentences(sentences(5), 8, 0)
    with redirect_stderr(shown):
        log = train(small_model(), small_batches(), TrainingConfig(steps=4), validation=held_out)
    assert "4/4" in shown.getvalue() and f"held out={log.validation[0][1]:.3f}" in shown.getvalue()
    assert f"loss={np.mean(log.losses):.3f}" in shown.getvalue()
    with redirect_stderr(io.StringIO()) as shown:
        train(small_model(), small_batches(), TrainingConfig(steps=4), quiet=True)
    assert not shown.getvalue()


# --- Doors ------------------------------------------------------------------------------------------------------------


class Speechless(nn.Module):
    """Has parameters, and no loss."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, tokens, targets):
        return tokens


def good_training():
    model = Dropping()
    return {
        "model": model,
        "batches": small_batches(),
        "config": TrainingConfig(steps=1),
        "validation": held_out_sentences(sentences(4), 8, 0),
        "checkpoint": None,
        "optimiser": SGD(model.parameters()),
        "quiet": True,
    }


TOKENS = torch.tensor([[0, 2, 3]])
WRONG_BATCHES = [
    (TOKENS,),
    TOKENS,
    (TOKENS, TOKENS.numpy()),
    (TOKENS, None),
    (TOKENS, torch.cat([TOKENS, TOKENS])),
    (TOKENS, torch.full((1, 3), IGNORE)),
    (TOKENS, torch.tensor(3)),
    (TOKENS + 100, TOKENS),
    {"tokens": TOKENS},
]
NO_MODELS = [None, 3, "x", NOTHING, nn.Module(), nn.Identity(), Dropping, Speechless()]
NO_BATCH_LISTS = [3, "x", {}, [], small_batches(), TOKENS, (TOKENS, TOKENS), *([batch] for batch in WRONG_BATCHES[:-2])]


def frozen(good):
    next(good["model"].parameters()).requires_grad_(False)
    return good["optimiser"]


RATE = [None, "3", True, NAN, INF, -0.1, [0.1]]
DOORS = [
    Door(
        TrainingConfig,
        lambda: {
            "steps": 5,
            "learning_rate": 0.1,
            "warmup_steps": 2,
            "decay": "linear",
            "final_learning_rate": 0.01,
            "clip_norm": 1.0,
            "validate_every": 3,
            "checkpoint_every": 3,
            "seed": 1,
        },
        {
            "steps": "count",
            "learning_rate": [*RATE, 0],
            "warmup_steps": [None, "1", -1, 6, 2.0, True],
            "decay": "choice",
            "final_learning_rate": [*RATE, 0.2],
            "clip_norm": "positive",
            "validate_every": "count",
            "checkpoint_every": "count",
            "seed": "seed",
        },
    ),  # fmt: skip
    Door(
        scheduled_learning_rate,
        lambda: {"step": 3, "config": TrainingConfig(5)},
        {"step": "index", "config": "object"},
    ),
    Door(
        evaluate_loss,
        lambda: {"model": Dropping(), "batches": held_out_sentences(sentences(4), 8, 0)},
        {"model": NO_MODELS, "batches": [None, *NO_BATCH_LISTS]},
        clashes={"batches": [lambda good: held_out_sentences([[2, 7]], 8, 0)]},
    ),
    Door(
        train,
        good_training,
        {
            "model": NO_MODELS[:-1],
            "batches": [
                None,
                3,
                NOTHING,
                small_batches()(0),
                [small_batches()(0)],
                *((lambda step, b=batch: b) for batch in WRONG_BATCHES),
                lambda: small_batches()(0),
                lambda step, seed: small_batches(seed)(step),
            ],
            "config": "object",
            "validation": NO_BATCH_LISTS,
            "checkpoint": [3, [], NOTHING, True, "", "/tmp"],
            "optimiser": ["x", 3, NOTHING, {}, SGD, torch.optim.SGD(Dropping().parameters(), lr=0.1)],
            "quiet": "flag",
        },
        clashes={
            "optimiser": [
                lambda good: SGD(Dropping().parameters()),  # the model was made again, the optimiser was not
                lambda good: SGD([*good["model"].parameters(), nn.Parameter(torch.ones(2))]),
                lambda good: SGD(list(good["model"].parameters())[:1]),
                frozen,
            ],
            "validation": [lambda good: held_out_sentences([[2, 7]], 8, 0)],
        },
    ),
    Door(
        lambda model: train(model, small_batches(), TrainingConfig(1), quiet=True),
        lambda: {"model": Dropping()},
        {"model": NO_MODELS}
        | dict.fromkeys(("batches", "config", "validation", "checkpoint", "optimiser", "quiet"), "any"),
        "training.train",
    ),
]


def test_a_warm_up_to_the_last_step_ends_at_the_peak_and_then_decays():
    config = TrainingConfig(10, 1.0, warmup_steps=10)
    assert [scheduled_learning_rate(step, config) for step in (9, 10, 11)] == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "other",
    [
        torch.zeros(2, 6, dtype=torch.bfloat16),
        torch.ones(2, 6),
        torch.ones(4, 3, dtype=torch.bfloat16),
        torch.ones(2, 6, dtype=torch.bfloat16),
    ],
)
def test_a_first_batch_of_other_numbers_shape_or_type_is_another(other):
    first = torch.ones(2, 6, dtype=torch.bfloat16)
    model = small_model()
    optimiser = SGD(model.parameters())
    given = [training._settings(model, optimiser, TrainingConfig(1), (x, x)) for x in (first, other)]
    changed = {name for name in given[0] if given[0][name] != given[1][name]}
    assert changed == (set() if torch.equal(first, other) and first.dtype == other.dtype else {"batches.first"})


ANOTHER_PROCESS = """\
import sys
import torch
import torch.nn.functional as F
from torch import nn
from lmkit.training import TrainingConfig, train

class Odd(nn.Module):
    def __init__(self):
        super().__init__()
        self.phi, self.thing, self.map = F.relu, object(), nn.Linear(2, 2)
    __repr__ = object.__repr__

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.odd = Odd()
    def extra_repr(self):
        return f"{self.odd.phi}, {self.odd.thing}"
    def forward(self, x, y):
        z = self.odd.map(x)
        return z, (z - y).square().mean()

torch.manual_seed(0)
x = torch.ones(3, 2)
def batches(step):
    if step == int(sys.argv[2]):
        sys.exit()
    return x, x
train(Model(), batches, TrainingConfig(4, checkpoint_every=1), checkpoint=sys.argv[1], quiet=True)
print("done")
"""


def test_another_process_goes_on_whatever_places_in_memory_a_model_shows(tmp_path):
    said = [
        subprocess.run(
            [sys.executable, "-c", ANOTHER_PROCESS, str(tmp_path / "m.pt"), at], capture_output=True, text=True
        )
        for at in ("2", "-1")
    ]
    assert [(one.stdout, one.stderr) for one in said] == [("", ""), ("done\n", "")]


def test_a_model_with_a_config_is_looked_at_in_all_its_parts(tmp_path):
    path, config = tmp_path / "m.pt", TrainingConfig(2)
    train(small_model(), small_batches(), config, checkpoint=path, quiet=True)
    other = small_model()
    other.drop = torch.nn.Dropout(0.5)
    with pytest.raises(ValueError, match=r"layers.drop was not there, is 'Dropout\(p=0.5"):
        train(other, small_batches(), config, checkpoint=path, quiet=True)


def test_a_checkpoint_is_where_its_path_leads_through_links(tmp_path):
    (tmp_path / "else" / "x").mkdir(parents=True)
    (tmp_path / "runs").mkdir()
    os.symlink(tmp_path / "else" / "x", tmp_path / "runs" / "current")
    config, through = TrainingConfig(2), tmp_path / "runs" / "current" / ".." / "m.pt"
    log = train(small_model(), small_batches(), config, checkpoint=tmp_path / "else" / "m.pt", quiet=True)
    given = iter([small_batches()(0)])  # the settings' own: nothing is trained anew
    assert train(small_model(), lambda step: next(given), config, checkpoint=through, quiet=True) == log
    assert train(small_model(), small_batches(), config, checkpoint=tmp_path / "runs" / "m.pt", quiet=True) == log
