"""lmkit against its peers: ``python -m tests.bench`` (``make bench``) prints a table and writes _build/bench.json.

Speeds are measured in one run with the peer's: the two take turns, and medians are compared, so that a busy machine slows
both. Peers come from the package registry into an environment of their own, _build/bench-env; this file runs there too,
started with ``--peer``. Where a peer is a public recipe, it is written out below in plain PyTorch. Two peers that cannot be
installed from the registry, KenLM and nanoGPT, stand as constants, for quality only.

Quality against a recipe that is trained here is reported on the second half of Tiny Shakespeare's validation text (its last
10 %), which is the harder one; settings were chosen on the first half. Constants hold for all of it, and so do their rows:
half of the text behind those was seen when the settings were chosen.
"""

import argparse
import functools
import importlib.util
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
PEERS_PYTHON = BUILD / "bench-env" / "bin" / "python"
PEERS = ("micrograd==0.1.0", "nltk==3.10.4", "tiktoken==0.14.0", "tokenizers==0.23.3")

KENLM = {2: 95.389, 3: 89.332, 5: 88.429}  # perplexities of lmplz -o n --discount_fallback on the word-level test
NANOGPT_CPU = (
    1.898  # nats per character, validation, of nanoGPT's baby run on a CPU: 4 × 128, block 64, batch 12, 2000 steps
)
NANOGPT_STEPS = 2000
LSTM_192 = 1.570  # nn.LSTM of width 192 with its settings tuned, after 60 CPU-seconds on one thread

# --- Rows -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    name: str
    ours: float
    peer: float
    unit: str
    ratio: float  # how many times better ours is; for agreement 1 − relative difference
    goal: float  # for the ratio


@dataclass(frozen=True)
class Row:
    """What is measured. ``better``: "lower", "higher" or "equal" is good."""

    name: str
    unit: str
    better: str
    goal: float
    measure: Callable[[], tuple[float, float]]  # ours, the peer's
    slow: bool
    needs: tuple[str, ...]

    def result(self) -> Result:
        ours, peer = self.measure()
        ratios = {"lower": peer / ours, "higher": ours / peer, "equal": 1 - abs(ours / peer - 1)}
        return Result(self.name, ours, peer, self.unit, ratios[self.better], self.goal)

    def missing(self) -> str | None:
        for need in self.needs:
            if need == "shakespeare" and shakespeare() is None:
                return "LMKIT_DATA_DIR names no folder with tinyshakespeare.txt"
            if need == "perf" and shutil.which("perf") is None:
                return "there is no program `perf`, which counts computing time"
            if need.startswith("lmkit.") and not provides(need):
                return f"{need} does not exist"
        return None


ROWS: list[Row] = []


def row(name: str, unit: str, better: str, goal: float, slow: bool = False, needs: tuple[str, ...] = ()) -> Callable:
    """Enter a function that returns (ours, peer's) as a row of the table."""

    def enter(measure: Callable[[], tuple[float, float]]) -> Callable:
        ROWS.append(Row(name, unit, better, goal, measure, slow, needs))
        return measure

    return enter


def provides(path: str) -> bool:
    """Whether lmkit has a module, or a module's attribute: "lmkit.tokenizers.BPETokenizer"."""
    module, _, attribute = path.rpartition(".")
    if module == "lmkit":
        return importlib.util.find_spec(path) is not None
    return importlib.util.find_spec(module) is not None and hasattr(importlib.import_module(module), attribute)


def seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def in_turns(ours: Callable[[], object], peer: Callable[[], object], times: int) -> tuple[float, float]:
    """Median seconds of both, taking turns, after one call each to warm up."""
    ours(), peer()
    measured = [(seconds(ours), seconds(peer)) for _ in range(times)]
    return tuple(statistics.median(column) for column in zip(*measured, strict=True))


def ask_peer(name: str, question: dict) -> dict:
    """What ``peer_<name>`` answers in the peers' environment, which is made on first use."""
    environment = PEERS_PYTHON.parent.parent
    installed = environment / "installed.txt"
    if not installed.exists() or installed.read_text() != " ".join(PEERS):
        print(f"installing {', '.join(PEERS)} into {environment}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        subprocess.run([PEERS_PYTHON, "-m", "pip", "install", "--quiet", *PEERS], check=True)
        installed.write_text(" ".join(PEERS))
    command = [PEERS_PYTHON, __file__, "--peer", name]
    done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the peer {name} failed:\n{done.stderr}")
    return json.loads(done.stdout)


# --- Texts ------------------------------------------------------------------------------------------------------


@functools.cache
def shakespeare() -> str | None:
    from lmkit.corpora import tiny_shakespeare

    if not os.environ.get("LMKIT_DATA_DIR"):
        return None  # a benchmark does not download
    try:
        return tiny_shakespeare()
    except (FileNotFoundError, ValueError):
        return None


@functools.cache
def word_level() -> tuple[list[list[str]], list[list[str]]]:
    """Training and test sentences: non-empty lines, the last 10 % for the test; words seen once in training are UNK."""
    lines = [re.findall(r"\w+|[^\w\s]", line) for line in shakespeare().split("\n") if line.strip()]
    cut = int(0.9 * len(lines))
    counts: dict[str, int] = {}
    for line in lines[:cut]:
        for word in line:
            counts[word] = counts.get(word, 0) + 1
    closed = [[word if counts.get(word, 0) > 1 else "UNK" for word in line] for line in lines]
    return closed[:cut], closed[cut:]


@functools.cache
def characters():
    """Character ids of the training text, and of the two halves of the validation text; the tokenizer."""
    from lmkit.tokenizers import CharTokenizer

    text = shakespeare()
    tokenizer = CharTokenizer(text)
    ids = tokenizer.encode(text)
    cut = int(0.9 * len(ids))
    middle = cut + (len(ids) - cut) // 2
    return ids[:cut], ids[cut:middle], ids[middle:], tokenizer


def validation():
    """Both halves of the validation text."""
    import numpy as np

    return np.concatenate(characters()[1:3])


# --- n-grams ----------------------------------------------------------------------------------------------------


def fit_words(sentences: list[list[str]], order: int):
    from lmkit.ngram import ModifiedKneserNey, NgramLM
    from lmkit.tokenizers import WordTokenizer

    tokenizer = WordTokenizer(sentences)
    ids = [tokenizer.encode(sentence, eos=True) for sentence in sentences]
    return NgramLM.fit(ids, order, tokenizer.vocab_size, ModifiedKneserNey(), tokenizer.bos_id), tokenizer


def kneser_ney_perplexity(order: int) -> tuple[float, float]:
    from lmkit.evaluation import evaluate

    training, test = word_level()
    model, tokenizer = fit_words(training, order)
    return evaluate(model, [tokenizer.encode(s, eos=True) for s in test]).perplexity, KENLM[order]


for n in KENLM:
    row(f"modified Kneser-Ney {n}-gram against KenLM", "perplexity", "equal", 0.999, needs=("shakespeare",))(
        functools.partial(kneser_ney_perplexity, n)
    )


@functools.cache
def against_nltk() -> dict[str, tuple[float, float]]:
    """Order 5, from words to model, and tokens scored per second. NLTK scores few, for it takes a tenth of a second each."""
    training, test = word_level()
    peer = ask_peer("nltk", {"order": 5, "training": training, "test": test[:20]})
    fit = statistics.median(seconds(lambda: fit_words(training, 5)) for _ in range(3))
    model, tokenizer = fit_words(training, 5)
    ids = [tokenizer.encode(s, eos=True) for s in test]
    score = statistics.median(seconds(lambda: model.log_probs_many(ids)) for _ in range(5))
    return {"fit": (fit, peer["fit"]), "score": (sum(map(len, ids)) / score, peer["tokens_per_second"])}


def peer_nltk(question: dict) -> dict:
    from nltk.lm import KneserNeyInterpolated
    from nltk.lm.preprocessing import pad_both_ends, padded_everygram_pipeline

    n = question["order"]

    def fit():
        model = KneserNeyInterpolated(n)
        model.fit(*padded_everygram_pipeline(n, question["training"]))
        return model

    start = time.perf_counter()
    model = fit()
    fitted = time.perf_counter()
    tokens = 0
    for sentence in question["test"]:
        padded = list(pad_both_ends(sentence, n))
        for t in range(n - 1, n + len(sentence)):
            model.logscore(padded[t], padded[t - n + 1 : t])
            tokens += 1
            if time.perf_counter() - fitted > 10:
                break
        if time.perf_counter() - fitted > 10:
            break
    return {"fit": fitted - start, "tokens_per_second": tokens / (time.perf_counter() - fitted)}


@row("Kneser-Ney 5-gram, words to model, against NLTK", "s", "lower", 1.5, needs=("shakespeare",))
def nltk_fit():
    return against_nltk()["fit"]


@row("Kneser-Ney 5-gram, scoring, against NLTK", "tokens/s", "higher", 10_000, needs=("shakespeare",))
def nltk_score():
    return against_nltk()["score"]


@functools.cache
def character_7_gram():
    from lmkit.ngram import ModifiedKneserNey, NgramLM

    training, _, _, tokenizer = characters()
    return NgramLM.fit([training], 7, tokenizer.vocab_size, ModifiedKneserNey())


@row("character 7-gram, fit from ids, against 0.2 s", "s", "lower", 1.0, needs=("shakespeare",))
def fit_7_gram():
    return statistics.median(seconds(character_7_gram.__wrapped__) for _ in range(5)), 0.2


@row("character 7-gram against nanoGPT's CPU run", "nats/char", "lower", 1.898 / 1.52, needs=("shakespeare",))
def loss_7_gram():
    return -character_7_gram().log_probs(validation()).mean(), NANOGPT_CPU


# --- Training on a budget ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """How a model is trained on characters within a budget of seconds."""

    context_length: int
    batch_size: int
    learning_rate: float
    decay: str = "linear"
    warmup: float = 0.03  # of all steps
    weight_decay: float = 0.0


def train_for(model, settings: Settings, budget: float, matrices: list) -> float:
    """Train for about so many CPU-seconds on one thread, and say for how many. ``matrices`` are Muon's, the rest AdamW's.

    The number of steps comes from timing 30 of them first, for the learning rate must know it.
    """
    import torch

    from lmkit.batches import stream_batches
    from lmkit.optimisation import Muon
    from lmkit.training import TrainingConfig, train

    torch.set_num_threads(1)
    batches = stream_batches(characters()[0], settings.context_length, settings.batch_size, seed=0)
    others = [p for p in model.parameters() if all(p is not matrix for matrix in matrices)]
    beginning = {name: w.clone() for name, w in model.state_dict().items()}

    def run(steps: int) -> float:
        warmup = int(settings.warmup * steps)
        config = TrainingConfig(steps, settings.learning_rate, warmup, settings.decay)
        optimiser = Muon(matrices, others, weight_decay=settings.weight_decay)
        start = time.process_time()
        train(model, batches, config, optimiser=optimiser, quiet=True)
        return time.process_time() - start

    run(3)
    per_step = run(30) / 30
    model.load_state_dict(beginning)
    return run(int(budget / per_step))


# --- Recurrence -------------------------------------------------------------------------------------------------


@row("linear recurrence, T = 1024, B = 8, H = 256, forward and backward", "s", "lower", 100)
def linear_recurrence():
    import torch

    from lmkit.linear_recurrence import linear_scan

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(0)
    a, b = (torch.rand(1024, 8, 256, generator=generator).requires_grad_() for _ in range(2))

    def naive():
        h, states = torch.zeros_like(b[0]), []
        for t in range(len(a)):
            h = a[t] * h + b[t]
            states.append(h)
        torch.stack(states).sum().backward()

    return in_turns(lambda: linear_scan(a, b).sum().backward(), naive, 3)


def lstm_training(threads: int) -> tuple[float, float]:
    """Tokens per second of whole training steps; embeddings and state of width 256, batches of 32 × 128 characters."""
    import torch
    from torch import nn

    from lmkit.optimisation import AdamW
    from lmkit.recurrent import RecurrentConfig, RecurrentLM

    torch.set_num_threads(threads)
    V, d, H, B, T = 65, 256, 256, 32, 128
    batch = torch.randint(1, V, (B, T + 1), generator=torch.Generator().manual_seed(0))
    tokens, targets = batch[:, :-1].contiguous(), batch[:, 1:].contiguous()

    class Recipe(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.lstm = nn.Embedding(V, d), nn.LSTM(d, H, batch_first=True)
            self.output = nn.Linear(H, V)

        def forward(self, tokens):
            return self.output(self.lstm(self.embedding(tokens))[0])

    ours, peer = RecurrentLM(RecurrentConfig(V, "lstm", d_embedding=d, d_hidden=H)), Recipe()
    our_optimiser = AdamW(ours.parameters())
    peer_optimiser = torch.optim.AdamW(peer.parameters(), lr=1e-3)

    def our_step():
        ours.zero_grad(set_to_none=True)
        ours(tokens, targets)[1].backward()
        our_optimiser.step(1e-3)

    def peer_step():
        peer_optimiser.zero_grad(set_to_none=True)
        nn.functional.cross_entropy(peer(tokens).flatten(0, 1), targets.flatten()).backward()
        peer_optimiser.step()

    our_seconds, peer_seconds = in_turns(our_step, peer_step, 25)
    torch.set_num_threads(1)
    return B * T / our_seconds, B * T / peer_seconds


row("LSTM training, H = 256, 1 thread, against nn.LSTM", "tokens/s", "higher", 1.1)(functools.partial(lstm_training, 1))
row("LSTM training, H = 256, 2 threads, against nn.LSTM", "tokens/s", "higher", 0.9)(
    functools.partial(lstm_training, 2)
)


LSTM_SETTINGS = Settings(context_length=64, batch_size=16, learning_rate=1e-2)


@row("LSTM after 60 CPU-seconds against nn.LSTM, tuned", "nats/char", "lower", 1.570 / 1.56, True, ("shakespeare",))
def lstm_loss():
    import torch

    from lmkit.recurrent import RecurrentConfig, RecurrentLM

    model = RecurrentLM(RecurrentConfig(characters()[3].vocab_size, "lstm", d_embedding=64, d_hidden=192))
    matrices = [p for p in model.encoder.layers.parameters() if p.ndim == 2]
    train_for(model, LSTM_SETTINGS, 60.0, matrices)
    with torch.inference_mode():
        text = torch.from_numpy(validation())[None]
        logits = model.logits(text[:, :-1])[0]
        return torch.nn.functional.cross_entropy(logits, text[0, 1:]).item(), LSTM_192


# --- Transformer ------------------------------------------------------------------------------------------------


def nanogpt(V: int, block: int, n_layers: int = 4, n_heads: int = 4, d: int = 128):
    """nanoGPT's model, as its description has it: GPT-2 without biases and dropout, output tied to the embedding."""
    import torch
    import torch.nn.functional as F
    from torch import nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm_1, self.norm_2 = nn.LayerNorm(d, bias=False), nn.LayerNorm(d, bias=False)
            self.qkv, self.project = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d, bias=False)
            self.up, self.down = nn.Linear(d, 4 * d, bias=False), nn.Linear(4 * d, d, bias=False)

        def forward(self, x):
            B, T, _ = x.shape
            q, k, v = (
                m.view(B, T, n_heads, d // n_heads).transpose(1, 2) for m in self.qkv(self.norm_1(x)).split(d, dim=2)
            )
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, d)
            x = x + self.project(y)
            return x + self.down(F.gelu(self.up(self.norm_2(x))))

    class GPT(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens, self.positions = nn.Embedding(V, d), nn.Embedding(block, d)
            self.blocks = nn.Sequential(*(Block() for _ in range(n_layers)))
            self.norm = nn.LayerNorm(d, bias=False)
            for p in self.parameters():
                if p.ndim > 1:
                    nn.init.normal_(p, std=0.02)
            for b in self.blocks:
                for last in (b.project, b.down):
                    nn.init.normal_(last.weight, std=0.02 / math.sqrt(2 * n_layers))

        def forward(self, tokens):
            x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1]))
            return self.norm(self.blocks(x)) @ self.tokens.weight.T

        @torch.no_grad()
        def generate(self, tokens, count):
            for _ in range(count):
                p = F.softmax(self(tokens[:, -block:])[:, -1], dim=-1)
                tokens = torch.cat([tokens, torch.multinomial(p, 1)], dim=1)
            return tokens

    return GPT()


TRANSFORMER = {
    "context_length": 64,
    "n_layers": 2,
    "n_heads": 2,
    "d_model": 96,
    "positions": "rotary",
    "norm": "RMS",
    "activation": "squared_relu",
    "qk_norm": True,
}
TRANSFORMER_SETTINGS = Settings(context_length=64, batch_size=12, learning_rate=1e-2, weight_decay=0.1)


@functools.cache
def trained_nanogpt():
    """The recipe after its 2000 steps on one thread, and its CPU-seconds per step (Adam 1e-3, cosine to 1e-4)."""
    import torch
    import torch.nn.functional as F

    from lmkit.batches import stream_batches
    from lmkit.training import TrainingConfig, scheduled_learning_rate

    torch.set_num_threads(1)
    torch.manual_seed(0)
    training, *_, tokenizer = characters()
    model = nanogpt(tokenizer.vocab_size, 64)
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.99), weight_decay=0.1)
    schedule = TrainingConfig(NANOGPT_STEPS, 1e-3, 100, final_learning_rate=1e-4)
    batches = stream_batches(training, 64, 12, seed=0)
    start = time.process_time()
    for i in range(NANOGPT_STEPS):
        optimiser.param_groups[0]["lr"] = scheduled_learning_rate(i, schedule)
        tokens, targets = batches(i)
        optimiser.zero_grad(set_to_none=True)
        F.cross_entropy(model(tokens).flatten(0, 1), targets.flatten()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    return model, (time.process_time() - start) / NANOGPT_STEPS


@functools.cache
def trained_transformer(share: int = 1):
    """The model after one share-th of the CPU-seconds of nanoGPT's run, and these seconds."""
    from torch import nn

    from lmkit.transformer import TransformerConfig, TransformerLM

    model = TransformerLM(TransformerConfig(characters()[3].vocab_size, **TRANSFORMER))
    matrices = [module.weight for module in model.blocks.modules() if isinstance(module, nn.Linear)]
    return model, train_for(model, TRANSFORMER_SETTINGS, NANOGPT_STEPS * trained_nanogpt()[1] / share, matrices)


def window_log_probs(logits, ids):
    """log P of all characters but the first, each given those before it in its window of 64."""
    import numpy as np
    import torch

    from lmkit.batches import pad_sequences

    # The last target of a window is the first input of the next one.
    windows = [ids[i : i + 65] for i in range(0, len(ids) - 1, 64)]
    log_p = []
    with torch.inference_mode():
        for i in range(0, len(windows), 64):
            rows = pad_sequences(windows[i : i + 64])
            tokens, targets = rows[:, :-1].clamp(min=0), rows[:, 1:]
            log_p_next = logits(tokens).log_softmax(dim=-1)  # (B, T, V)
            seen = targets >= 0
            log_p.append(log_p_next.gather(2, targets.clamp(min=0)[..., None])[..., 0][seen].double().numpy())
    return np.concatenate(log_p)


@row("Transformer in the compute of nanoGPT's CPU run", "nats/char", "lower", 1.898 / 1.57, True, ("shakespeare",))
def transformer_loss():
    ours, peer = trained_transformer()[0].logits, trained_nanogpt()[0]
    return tuple(-window_log_probs(logits, characters()[2]).mean() for logits in (ours, peer))


@row("Transformer, whole validation text, nanoGPT cited", "nats/char", "lower", 1.898 / 1.57, True, ("shakespeare",))
def transformer_loss_cited():
    return -window_log_probs(trained_transformer()[0].logits, validation()).mean(), NANOGPT_CPU


@row("Transformer, time to nanoGPT's 1.898", "CPU-s", "lower", 8, True, ("shakespeare",))
def time_to_nanogpt():
    """CPU-seconds of the shortest of some runs, each with its whole schedule, that ends at nanoGPT's 1.898 or below."""
    budget = NANOGPT_STEPS * trained_nanogpt()[1]
    for share in (24, 20, 16, 12, 10, 8, 6, 4):
        model, taken = trained_transformer(share)
        if -window_log_probs(model.logits, validation()).mean() <= NANOGPT_CPU:
            return taken, budget
    return math.inf, budget


def generation(block: int, count: int, peer_count: int, **settings) -> tuple[float, float]:
    """Tokens per second of one sequence once the context is full: KV cache against a pass over all of it."""
    import torch

    from lmkit.transformer import TransformerConfig, TransformerLM

    torch.set_num_threads(1)
    ours, peer = TransformerLM(TransformerConfig(65, **settings | {"context_length": block})), nanogpt(65, block)
    prompt = torch.randint(1, 65, (1, block), generator=torch.Generator().manual_seed(0))

    @torch.inference_mode()
    def our_generate():
        logits, state = ours.step(prompt, ours.initial_state())
        for _ in range(count):
            logits, state = ours.step(torch.multinomial(logits.softmax(dim=-1), 1), state)

    our_seconds, peer_seconds = in_turns(our_generate, lambda: peer.generate(prompt, peer_count), 5)
    return count / our_seconds, peer_count / peer_seconds


for block, tokens, goal in ((64, (320, 100), 5), (1024, (1024, 5), 50)):
    for size, settings in (("4 × 128", {}), ("the one above", TRANSFORMER)):
        row(f"generation, KV cache, block {block}, {size}", "tokens/s", "higher", goal)(
            functools.partial(generation, block, *tokens, **settings)
        )


# --- Decoding and scoring ---------------------------------------------------------------------------------------


def small_model(kind: str, vocab_size: int = 65):
    from lmkit.recurrent import RecurrentConfig, RecurrentLM
    from lmkit.transformer import TransformerConfig, TransformerLM

    if kind == "LSTM":
        return RecurrentLM(RecurrentConfig(vocab_size, "lstm", d_embedding=64, d_hidden=192))
    return TransformerLM(TransformerConfig(vocab_size, **TRANSFORMER | {"context_length": 1024}))


def beam_search_time(kind: str) -> tuple[float, float]:
    """Seconds of 16 beams and of the greedy choice, both for 100 tokens that never end."""
    import torch

    from lmkit.decoding import beam_search, greedy

    torch.set_num_threads(1)
    model = small_model(kind).eval()
    return in_turns(
        lambda: beam_search(model, 16, max_tokens=100, stop=None), lambda: greedy(model, max_tokens=100, stop=None), 7
    )


for kind in ("Transformer", "LSTM"):
    row(f"beam search, 16 beams, against greedy, {kind}", "s", "lower", 1 / 4)(
        functools.partial(beam_search_time, kind)
    )


SCORING = """
import sys
import numpy as np, torch
from tests.bench import small_model
torch.set_num_threads(1)
kind, n = sys.argv[1], int(sys.argv[2])
model, rng = small_model(kind, 1024), np.random.default_rng(0)
model.log_probs_many([rng.integers(1, 1024, size=4)])

def peak():  # of this program: getrusage also knows what the one that started it had taken
    return int(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))

before = peak()
model.log_probs_many([rng.integers(1, 1024, size=1023) for _ in range(n)])
print(peak() - before)
"""


def scoring_memory(kind: str) -> tuple[float, float]:
    """Megabytes that scoring 256 sequences of 1023 tokens adds to the process, 1024 words, and those of 64 sequences."""

    def megabytes(n: int) -> float:
        command = [sys.executable, "-c", SCORING, kind, str(n)]
        return int(subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True).stdout) / 1024

    ours, quarter = zip(*[(megabytes(256), megabytes(64)) for _ in range(5)], strict=True)
    return statistics.median(ours), statistics.median(quarter)


for kind in ("Transformer", "LSTM"):
    row(f"memory of scoring a text, against a quarter of it, {kind}", "MB", "lower", 0.9, True)(
        functools.partial(scoring_memory, kind)
    )


# --- Tokenization and automatic differentiation -----------------------------------------------------------------


@functools.cache
def against_bpe_peers() -> dict[str, tuple[float, float]]:
    """Seconds to train a vocabulary of 1000, and characters encoded per second, each the median of some runs.

    ``tokenizers`` works on all cores and gets the text in lines for it. ``tiktoken`` gets our merges, must give our ids, and is
    warm like ours: in a text, nearly every word has been met before.
    """
    from lmkit.bpe import BPETokenizer

    text = shakespeare()
    train_times = [seconds(lambda: BPETokenizer.train(text, 1000)) for _ in range(4)][1:]
    tokenizer = BPETokenizer.train(text, 1000)
    first = len(tokenizer.special)
    ids = tokenizer.encode(text)
    encode = statistics.median(seconds(lambda: tokenizer.encode(text)) for _ in range(9))
    ranks = {token.hex(): i for i, token in enumerate(tokenizer.vocab[first:])}
    peer = ask_peer("bpe", {"text": text, "vocab_size": 1000, "ranks": ranks})
    if peer["ids"] != (ids - first).tolist():
        raise RuntimeError("tiktoken gives other ids than lmkit with the same merges")
    return {
        "train": (statistics.median(train_times), peer["train"]),
        "encode": (len(text) / 1e6 / encode, len(text) / 1e6 / peer["encode"]),
    }


def peer_bpe(question: dict) -> dict:
    import tiktoken
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    text = question["text"]
    lines = text.splitlines(keepends=True)

    def train():
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        trainer = trainers.BpeTrainer(
            vocab_size=question["vocab_size"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            special_tokens=["<bos>", "<eos>"],
            show_progress=False,
        )
        tokenizer.train_from_iterator(lines, trainer)

    rule = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"  # GPT-2's
    ranks = {bytes.fromhex(token): i for token, i in question["ranks"].items()}
    encoding = tiktoken.Encoding("ours", pat_str=rule, mergeable_ranks=ranks, special_tokens={})
    ids = encoding.encode_ordinary(text)
    return {
        "train": statistics.median([seconds(train) for _ in range(4)][1:]),
        "encode": statistics.median(seconds(lambda: encoding.encode_ordinary(text)) for _ in range(9)),
        "ids": ids,
    }


@row("BPE training, vocabulary 1000, against tokenizers", "s", "lower", 1 / 1.1, needs=("shakespeare",))
def bpe_train():
    return against_bpe_peers()["train"]


@row("BPE encoding against tiktoken, same ids", "MB/s", "higher", 0.85, needs=("shakespeare",))
def bpe_encode():
    return against_bpe_peers()["encode"]


def softmax_regression(weights: list[list], data: dict, exp: Callable, log: Callable, inner: Callable) -> float:
    """One step with values of either engine, without the update: mean negative log-likelihood and its gradient."""
    total = 0.0
    for x, y in zip(data["inputs"], data["targets"], strict=True):
        z = [inner(row, x) for row in weights]
        top = max(logit.data for logit in z)
        z = [logit - top for logit in z]
        total = total + log(sum(exp(logit) for logit in z)) - z[y]
    loss = total / len(data["inputs"])
    loss.backward()
    return loss.data


def term_by_term(a: list, b: list):
    return sum(x * y for x, y in zip(a, b, strict=True))


@functools.cache
def against_micrograd() -> dict[str, tuple[float, float]]:
    import random

    from lmkit.autodiff import Value, dot

    rng = random.Random(0)
    B, D, C = 32, 64, 65
    numbers = [[[rng.gauss(0, scale) for _ in range(D)] for _ in range(rows)] for rows, scale in ((C, 0.1), (B, 1.0))]
    data = {"weights": numbers[0], "inputs": numbers[1], "targets": [rng.randrange(C) for _ in range(B)]}
    peer = ask_peer("micrograd", data)

    def step(inner: Callable) -> float:
        weights = [[Value(w) for w in row] for row in data["weights"]]
        start = time.perf_counter()
        loss = softmax_regression(weights, data, Value.exp, Value.log, inner)
        taken = time.perf_counter() - start
        squares = sum(w.grad**2 for row in weights for w in row)
        for ours, theirs in ((loss, peer["loss"]), (squares, peer["squares"])):
            if not math.isclose(ours, theirs, rel_tol=1e-9):
                raise RuntimeError(f"lmkit.autodiff computes {ours}, micrograd {theirs}")
        return taken

    return {
        inner.__name__: (statistics.median(step(inner) for _ in range(3)), peer["seconds"])
        for inner in (dot, term_by_term)
    }


def peer_micrograd(data: dict) -> dict:
    from micrograd.engine import Value

    def exp(x: Value) -> Value:  # it has neither of these two, so they are written as its own operations are
        out = Value(math.exp(x.data), (x,), "exp")

        def _backward():
            x.grad += out.data * out.grad

        out._backward = _backward
        return out

    def log(x: Value) -> Value:
        out = Value(math.log(x.data), (x,), "log")

        def _backward():
            x.grad += out.grad / x.data

        out._backward = _backward
        return out

    taken = []
    for _ in range(3):
        weights = [[Value(w) for w in row] for row in data["weights"]]
        start = time.perf_counter()
        loss = softmax_regression(weights, data, exp, log, term_by_term)
        taken.append(time.perf_counter() - start)
    squares = sum(w.grad**2 for row in weights for w in row)
    return {"seconds": statistics.median(taken), "loss": loss, "squares": squares}


@row("scalar autodiff, one step B = 32, D = 64, C = 65, against micrograd", "s", "lower", 4)
def micrograd_step():
    return against_micrograd()["dot"]


@row("the same with our inner products term by term, as micrograd's are", "s", "lower", 3)
def micrograd_step_term_by_term():
    return against_micrograd()["term_by_term"]


# --- Start-up ---------------------------------------------------------------------------------------------------


@row("import lmkit beyond numpy, against 0.2 s", "s", "lower", 1.0)
def import_time():
    def run(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)

    with_lmkit, without = in_turns(lambda: run("import numpy, lmkit"), lambda: run("import numpy"), 7)
    return max(with_lmkit - without, 1e-3), 0.2  # below a millisecond is noise


# --- Grading ----------------------------------------------------------------------------------------------------

if __name__ == "__main__" and "--peer" not in sys.argv:  # the peers' environment has no nbgrader
    from tests.bench_grading import ROWS as GRADING

    for name, unit, goal, measure, arguments, slow in GRADING:
        needs = ("perf",) if "computing" in name else ()
        row(name, unit, "lower", goal, slow, needs)(functools.partial(measure, *arguments))


# --- The table --------------------------------------------------------------------------------------------------


def number(x: float) -> str:
    return f"{x:,.0f}" if abs(x) >= 1000 else f"{x:.4g}"


def save(results: list[Result]) -> None:
    """Into _build/bench.json; rows that were not measured this time keep what they had."""
    path = BUILD / "bench.json"
    known = {x["name"]: x for x in json.loads(path.read_text())} if path.exists() else {}
    known |= {x.name: asdict(x) for x in results}
    BUILD.mkdir(exist_ok=True)
    rows = [known[r.name] for r in ROWS if r.name in known]
    path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__.split("\n")[0])
    parser.add_argument("--only", metavar="NAME", help="rows whose name contains NAME")
    parser.add_argument("--quick", action="store_true", help="leave out what takes over a minute")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        json.dump(globals()[f"peer_{arguments.peer}"](json.load(sys.stdin)), sys.stdout)
        return
    chosen = [r for r in ROWS if arguments.only is None or arguments.only.lower() in r.name.lower()]
    if not chosen:
        parser.error(f"no row's name contains {arguments.only!r}; there are: {'; '.join(r.name for r in ROWS)}")
    results, skipped = [], []
    width = max(len(r.name) for r in chosen)
    print(f"{'':{width}}  {'ours':>10}  {'peer':>10}  {'unit':<10}  {'ratio':>9}  {'goal':>7}")
    for r in chosen:
        reason = "takes over a minute (--quick)" if arguments.quick and r.slow else r.missing()
        if reason is not None:
            skipped.append(f"skipped: {r.name}: {reason}")
            continue
        x = r.result()
        results.append(x)
        met = "" if x.ratio >= x.goal else "  missed"
        print(
            f"{x.name:{width}}  {number(x.ours):>10}  {number(x.peer):>10}  {x.unit:<10}  {number(x.ratio):>9}  "
            f"{number(x.goal):>7}{met}",
            flush=True,
        )
    print(*skipped, sep="\n")
    save(results)


if __name__ == "__main__":
    main()
