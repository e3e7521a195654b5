"""Encoder–decoder networks, without and with attention, on tasks from characters to characters.

Without attention the decoder knows the source only through the encoder's last state: the bottleneck. With it, every
step of the decoder looks back at all the states of the encoder and weighs them anew.

Sources: Sutskever, Vinyals & Le (2014); Cho et al. (2014); Bahdanau, Cho & Bengio (2015) for the additive score;
Luong, Pham & Manning (2015) for the dot-product and bilinear ("general") scores.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmkit.batches import Batch, Batches, at_least_one
from lmkit.neural import IGNORE
from lmkit.recurrent import RecurrentConfig, RecurrentEncoder
from lmkit.tagging import pad_sequences
from lmkit.tokenizers import CharTokenizer

SCORES = ("none", "dot", "bilinear", "scaled_bilinear", "additive")

Pair = tuple[str, str]  # a source and its target


@dataclass(frozen=True)
class Seq2SeqConfig:
    """What defines an encoder–decoder.

    Attributes:
        alphabet: the characters of sources and targets.
        score: how well a state of the encoder fits the state of the decoder, one of ``SCORES``; "none": no attention.
        d_state: width m of the states of encoder and decoder; even, half of it for each reading direction.
        d_embedding: width d of a character's embedding.
    """

    alphabet: str
    score: str = "additive"
    d_state: int = 128
    d_embedding: int = 16

    def __post_init__(self) -> None:
        at_least_one(d_state=self.d_state, d_embedding=self.d_embedding)
        if not self.alphabet:
            raise ValueError("alphabet is empty, expected the characters of sources and targets")
        if self.score not in SCORES:
            raise ValueError(f"score must be one of {', '.join(SCORES)}, got {self.score!r}")
        if self.d_state % 2:
            raise ValueError(f"d_state must be even, got {self.d_state}")


class Score(nn.Module):
    """How well the states h_i of the encoder fit a state s of the decoder: the scores e_i, before the softmax.

    dot: hᵀs. bilinear: hᵀWs. scaled_bilinear: hᵀWs/√m. additive: w₂ᵀ tanh(W₁[h; s]), a network with one hidden layer.
    """

    def __init__(self, kind: str, d_state: int) -> None:
        super().__init__()
        self.kind = kind
        if kind == "additive":  # W₁[h; s] = W_h h + W_s s
            self.W_h = nn.Linear(d_state, d_state)
            self.W_s = nn.Linear(d_state, d_state, bias=False)
            self.w_2 = nn.Linear(d_state, 1, bias=False)
        elif kind != "dot":
            self.W = nn.Linear(d_state, d_state, bias=False)
            self.scale = 1 / math.sqrt(d_state) if kind == "scaled_bilinear" else 1.0

    def keys(self, H: Tensor) -> Tensor:
        """The part of the scores that no state of the decoder changes, computed once a source: (B, T, m) → (B, T, m)."""
        if self.kind == "additive":
            return self.W_h(H)
        return H if self.kind == "dot" else self.W(H) * self.scale

    def forward(self, keys: Tensor, s: Tensor) -> Tensor:
        """Scores (B, T) of the keys (B, T, m) for the query s (B, m)."""
        if self.kind == "additive":
            return self.w_2(torch.tanh(keys + self.W_s(s)[:, None])).squeeze(-1)
        return torch.einsum("btm,bm->bt", keys, s)


class Source(NamedTuple):
    """B sources as the decoder sees them."""

    H: Tensor  # (B, T, m), the encoder's states: the values
    keys: Tensor  # (B, T, m), what the scores compare with the decoder's state
    mask: Tensor  # (B, T), True where there is a character
    last: Tensor  # (B, m), the state in which the decoder starts and, without attention, all that it sees

    def repeat(self, n: int) -> "Source":
        """The one source n times, for n answers at once."""
        return Source(*(part.expand(n, *part.shape[1:]) for part in self))


class Seq2Seq(nn.Module):
    """A bidirectional LSTM reads the source; a GRU writes the target, one character at a time.

    ``model(sources, targets)`` is (logits, mean loss), so ``lmkit.training.train`` trains it, on ``pair_batches``.

    Args:
        config: see ``Seq2SeqConfig``.
        seed: of the random initial weights; the global random state is left as it was.
    """

    def __init__(self, config: Seq2SeqConfig, seed: int = 0) -> None:
        super().__init__()
        self.config, self.tokenizer = config, CharTokenizer(config.alphabet)
        V, m, d = self.tokenizer.vocab_size, config.d_state, config.d_embedding
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(seed)
            self.encoder = RecurrentEncoder(RecurrentConfig(V, "lstm", d, m // 2, bidirectional=True))
            self.score = None if config.score == "none" else Score(config.score, m)
            self.decoder = nn.GRUCell(d + m, m)
            self.output = nn.Linear(m, V)

    def tokens(self, texts: Sequence[str]) -> Tensor:
        """Ids of B texts, each with ``<eos>`` behind it, then IGNORE: (B, T), where the model's parameters are."""
        if isinstance(texts, str) or not texts:
            raise ValueError(f"texts must be a list of at least one text, got {texts!r}")
        ids = [self.tokenizer.encode(text, eos=True) for text in texts]
        return pad_sequences(ids).to(self.output.weight.device)

    def text(self, ids: Sequence[int]) -> str:
        """The characters of ids, up to the first ``<eos>``."""
        ids = list(ids)
        eos = self.tokenizer.eos_id
        return self.tokenizer.decode(ids[: ids.index(eos)] if eos in ids else ids)

    def encode(self, sources: Tensor) -> Source:
        """The encoder's states after reading ``tokens`` (B, T)."""
        H, _ = self.encoder(sources)  # (B, T, m)
        mask, half = sources != IGNORE, self.config.d_state // 2
        rightmost = mask.sum(dim=1) - 1  # (B,)
        # Each reader ends where it has read everything: one at <eos>, the other at the first character.
        last = torch.cat([H[torch.arange(len(H), device=H.device), rightmost, :half], H[:, 0, half:]], dim=-1)
        return Source(H, H if self.score is None else self.score.keys(H), mask, last)

    def context(self, s: Tensor, source: Source) -> tuple[Tensor, Tensor]:
        """What the decoder sees of the source from its state s (B, m): context (B, m) and attention weights (B, T).

        Without attention the context is always the encoder's last state, and the weights, which do not exist, are 0.
        """
        if self.score is None:
            return source.last, torch.zeros_like(source.mask, dtype=s.dtype)
        scores = self.score(source.keys, s).masked_fill(~source.mask, -math.inf)  # (B, T)
        weights = scores.softmax(dim=-1)
        return torch.einsum("bt,btm->bm", weights, source.H), weights

    def step(self, token: Tensor, s: Tensor, source: Source) -> tuple[Tensor, Tensor, Tensor]:
        """s_t = GRU(s_{t−1}, [e(y_{t−1}); c_t]): logits (B, V) for y_t, the state s_t (B, m) and the weights (B, T)."""
        context, weights = self.context(s, source)
        # What is fed back is the embedding of the chosen token, not the distribution that it was chosen from.
        s = self.decoder(torch.cat([self.encoder.embedding(token), context], dim=-1), s)
        return self.output(s), s, weights

    def forward(self, sources: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (B, T_y, V) by teacher forcing and the mean negative log-likelihood in nats over characters and ``<eos>``.

        Args:
            sources, targets: ``tokens`` of as many texts, (B, T) and (B, T_y).
        """
        if len(sources) != len(targets):
            raise ValueError(f"targets must be as many as sources, {len(sources)}, got {len(targets)}")
        first = torch.full_like(targets[:, :1], self.tokenizer.bos_id)
        inputs = torch.cat([first, targets[:, :-1].clamp(min=0)], dim=1)  # (B, T_y)
        source = self.encode(sources)
        s, logits = source.last, []
        for token in inputs.T:
            step_logits, s, _ = self.step(token, s, source)
            logits.append(step_logits)
        stacked = torch.stack(logits, dim=1)  # (B, T_y, V)
        return stacked, F.cross_entropy(stacked.flatten(0, 1), targets.flatten(), ignore_index=IGNORE)

    @torch.no_grad()
    def greedy(self, sources: Sequence[str], max_length: int = 50) -> tuple[list[str], np.ndarray]:
        """The most probable character at every step: B answers, and the weights (B, T_y, T) for a heat map.

        Row t of the weights is where the model looked when it wrote character t; the last written is ``<eos>``.
        """
        source = self.encode(self.tokens(sources))
        s, token = source.last, torch.full((len(sources),), self.tokenizer.bos_id, device=source.H.device)
        written, weights = [], []
        done = torch.zeros_like(token, dtype=torch.bool)
        while len(written) < max_length and not done.all():
            logits, s, a = self.step(token, s, source)
            logits[:, self.tokenizer.bos_id] = -math.inf
            token = logits.argmax(dim=-1)
            written.append(token)
            weights.append(a)
            done |= token == self.tokenizer.eos_id
        answers = [self.text(row) for row in torch.stack(written, dim=1).tolist()]
        return answers, torch.stack(weights, dim=1).cpu().numpy()

    @torch.no_grad()
    def beam_search(self, text: str, width: int = 4, max_length: int = 50) -> list[tuple[str, float]]:
        """The up to ``width`` best answers that beam search finds, with their log-probabilities in nats, best first.

        An answer still unfinished after ``max_length`` characters competes as it stands.
        """
        at_least_one(width=width)
        source = self.encode(self.tokens([text]))
        s, finished = source.last, []
        beam = [([self.tokenizer.bos_id], 0.0)]  # k unfinished answers and their log-probabilities
        for _ in range(max_length):
            last = torch.tensor([ids[-1] for ids, _ in beam], device=s.device)  # (k,)
            scores = torch.tensor([score for _, score in beam], device=s.device)
            logits, s, _ = self.step(last, s, source.repeat(len(beam)))  # (k, V)
            logits[:, self.tokenizer.bos_id] = -math.inf
            totals = scores[:, None] + logits.log_softmax(dim=-1)  # (k, V)
            best = totals.flatten().topk(min(width, totals.numel()))
            kept = []
            for score, at in zip(best.values.tolist(), best.indices.tolist(), strict=True):
                parent, token = divmod(at, totals.shape[1])
                ids = beam[parent][0]
                if token == self.tokenizer.eos_id:
                    finished.append((self.text(ids[1:]), score))
                elif score > -math.inf:
                    kept.append((parent, ([*ids, token], score)))
            finished = sorted(finished, key=lambda answer: -answer[1])[:width]
            # Log-probabilities only fall: nothing unfinished can still overtake `width` better finished answers.
            if not kept or (len(finished) == width and finished[-1][1] >= kept[0][1][1]):
                return finished
            s, beam = s[[parent for parent, _ in kept]], [answer for _, answer in kept]
        unfinished = [(self.text(ids[1:]), score) for ids, score in beam]
        return sorted(finished + unfinished, key=lambda answer: -answer[1])[:width]


def addition_pairs(n_digits: int, n_train: int, n_test: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Sums of two numbers of up to ``n_digits`` digits, ("123+456=", "975"): training and held-out pairs.

    The answer is written from its last digit, in the order in which carrying works. No sum of the test set is in the
    training set, not even with its terms exchanged.
    """
    limit = 10**n_digits
    possible = limit * (limit + 1) // 2
    if n_train + n_test > possible:
        raise ValueError(f"n_train + n_test is {n_train + n_test}, but only {possible} sums have {n_digits} digits")
    rng = np.random.default_rng(seed)
    sums: dict[tuple[int, int], Pair] = {}  # by unordered terms
    while len(sums) < n_train + n_test:
        a, b = (int(term) for term in rng.integers(limit, size=2))
        sums.setdefault((min(a, b), max(a, b)), (f"{a}+{b}=", str(a + b)[::-1]))
    pairs = list(sums.values())
    return pairs[n_test:], pairs[:n_test]


def reversal_pairs(alphabet: str, lengths: Sequence[int], n: int, seed: int) -> list[Pair]:
    """``n`` random words and what they are backwards, their lengths drawn evenly from ``lengths``."""
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list(alphabet), size=rng.choice(lengths))) for _ in range(n)]
    return [(word, word[::-1]) for word in words]


def pair_batches(model: Seq2Seq, pairs: Sequence[Pair], batch_size: int, seed: int) -> Batches:
    """Random pairs: ``batches(step)`` is (sources (B, T), targets (B, T_y)), ``tokens`` for ``model``."""
    at_least_one(batch_size=batch_size, pairs=len(pairs))
    columns = [model.tokens(texts) for texts in zip(*pairs, strict=True)]  # all pairs, as two tensors

    def batch(step: int) -> Batch:
        chosen = np.random.default_rng([seed, step]).integers(len(pairs), size=batch_size)
        rows = [column[chosen] for column in columns]
        return tuple(row[:, : int((row != IGNORE).sum(dim=1).max())] for row in rows)  # no longer than the longest

    return batch


def accuracy_by_length(model: Seq2Seq, pairs: Sequence[Pair]) -> dict[int, float]:
    """The share of pairs that greedy decoding answers exactly, by the length of the source."""
    by_length: dict[int, list[Pair]] = {}
    for source, target in pairs:
        by_length.setdefault(len(source), []).append((source, target))
    accuracy = {}
    for length, group in sorted(by_length.items()):
        longest = max(len(target) for _, target in group)
        answers, _ = model.greedy([source for source, _ in group], max_length=longest + 1)
        right = [answer == target for answer, (_, target) in zip(answers, group, strict=True)]
        accuracy[length] = sum(right) / len(right)
    return accuracy
