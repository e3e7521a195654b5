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
from numpy.typing import ArrayLike
from torch import Tensor, nn

from lmkit.batches import IGNORE, Batch, Batches, pad_sequences, row_lengths
from lmkit.checks import (
    check_choice,
    check_fields,
    check_id_tensor,
    check_instance,
    check_integer,
    check_list,
    check_tensor,
    check_token_ids,
)
from lmkit.neural import RecurrentStateLM, seeded
from lmkit.recurrent import RecurrentConfig, RecurrentEncoder
from lmkit.string_pairs import Pair
from lmkit.tokenizers import CharTokenizer

SCORES = ("none", "dot", "bilinear", "scaled_bilinear", "additive")


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
        check_fields(self, "d_state d_embedding", choices={"score": SCORES})
        if not check_instance(self.alphabet, "alphabet", str):
            raise ValueError("alphabet is empty, expected the characters of sources and targets")
        if self.d_state % 2:
            raise ValueError(f"d_state must be even, got {self.d_state}")


class Score(nn.Module):
    """How well the states h_i of the encoder fit a state s of the decoder: the scores e_i, before the softmax.

    dot: hᵀs. bilinear: hᵀWs. scaled_bilinear: hᵀWs/√m. additive: w₂ᵀ tanh(W₁[h; s]), a network with one hidden layer.
    """

    def __init__(self, kind: str, d_state: int) -> None:
        super().__init__()
        self.kind = check_choice(kind, "kind", SCORES[1:])
        self.d_state = check_integer(d_state, "d_state", 1)
        if kind == "additive":  # W₁[h; s] = W_h h + W_s s
            self.W_h = nn.Linear(d_state, d_state)
            self.W_s = nn.Linear(d_state, d_state, bias=False)
            self.w_2 = nn.Linear(d_state, 1, bias=False)
        elif kind != "dot":
            self.W = nn.Linear(d_state, d_state, bias=False)
            self.scale = 1 / math.sqrt(d_state) if kind == "scaled_bilinear" else 1.0

    def keys(self, H: Tensor) -> Tensor:
        """The part of the scores that no state of the decoder changes, computed once a source: (B, T, m) → (B, T, m)."""
        check_tensor(H, "H", "B T m", like=next(self.parameters(), None), m=self.d_state)
        if self.kind == "additive":
            return self.W_h(H)
        return H if self.kind == "dot" else self.W(H) * self.scale

    def forward(self, keys: Tensor, s: Tensor) -> Tensor:
        """Scores (B, T) of the keys (B, T, m) for the query s (B, m)."""
        B, _, m = check_tensor(keys, "keys", "B T m", m=self.d_state).shape
        check_tensor(s, "s", "B m", like=keys, B=B, m=m)
        if self.kind == "additive":
            return self.w_2(torch.tanh(keys + self.W_s(s)[:, None])).squeeze(-1)
        return torch.einsum("btm,bm->bt", keys, s)


class Source(NamedTuple):
    """B sources as the decoder sees them."""

    H: Tensor  # (B, T, m), the encoder's states: the values
    keys: Tensor  # (B, T, m), what the scores compare with the decoder's state
    mask: Tensor  # (B, T), True where there is a character
    last: Tensor  # (B, m), the state in which the decoder starts and, without attention, all that it sees


class Seq2Seq(nn.Module):
    """A bidirectional LSTM reads the source; a GRU writes the target, one character at a time.

    ``model(sources, targets)`` is (logits, mean loss), so ``lmkit.training.train`` trains it, on ``pair_batches``.

    Args:
        config: see ``Seq2SeqConfig``.
        seed: of the random initial weights; the global random state is left as it was.
    """

    def __init__(self, config: Seq2SeqConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = check_instance(config, "config", Seq2SeqConfig)
        self.tokenizer = CharTokenizer(config.alphabet)
        V, m, d = self.tokenizer.vocab_size, config.d_state, config.d_embedding
        with seeded(seed):
            self.encoder = RecurrentEncoder(RecurrentConfig(V, "lstm", d, m // 2, bidirectional=True))
            self.score = None if config.score == "none" else Score(config.score, m)
            self.decoder = nn.GRUCell(d + m, m)
            self.output = nn.Linear(m, V)

    def tokens(self, texts: Sequence[str]) -> Tensor:
        """Ids of B texts, each with ``<eos>`` behind it, then IGNORE: (B, T), where the model's parameters are."""
        return self._tokens(texts, "texts")

    def _tokens(self, texts: Sequence[str], name: str) -> Tensor:
        for i, text in enumerate(check_list(texts, name, "a list of texts")):
            if strange := set(check_instance(text, f"{name}[{i}]", str)) - set(self.config.alphabet):
                raise ValueError(f"{name}[{i}] must be of {self.config.alphabet!r} only, got {sorted(strange)}")
        if not len(texts):
            raise ValueError(f"{name} must not be empty")
        return pad_sequences([self.tokenizer.encode(t, eos=True) for t in texts]).to(self.output.weight.device)

    def text(self, ids: ArrayLike) -> str:
        """The characters of ids, up to the first ``<eos>``."""
        ids = check_token_ids(ids, "ids", self.tokenizer.vocab_size)
        return self.tokenizer.decode(ids[: [*ids, self.tokenizer.eos_id].index(self.tokenizer.eos_id)])

    def encode(self, sources: Tensor) -> Source:
        """The encoder's states after reading ``tokens`` (B, T)."""
        row_lengths(sources, "sources", self.tokenizer.vocab_size)
        H, _ = self.encoder(sources)  # (B, T, m)
        keys = H if self.score is None else self.score.keys(H)
        return Source(H, keys, sources != IGNORE, self.encoder.last(H, sources))

    def decode(self, tokens: Tensor, s: Tensor, source: Source) -> tuple[Tensor, Tensor]:
        """Feed characters to the decoder: s_t = GRU(s_{t−1}, [e(y_{t−1}); c_t]), where c_t is the context seen from s_{t−1}.

        Args:
            tokens: y_0 … y_{n−1}, (B, n).
            s: the decoder's state before, (B, m); at first it is ``source.last``, and y_0 is ``<bos>``.
            source: as ``encode`` gives it.

        Returns:
            s_1 … s_n (B, n, m), of which ``output`` makes logits for y_1 … y_n, and the weights (B, n, T) of the source's
            states in the contexts (zeros without attention).
        """
        check_id_tensor(tokens, "tokens", self.tokenizer.vocab_size)
        sizes, H = {"B": len(tokens), "m": self.config.d_state}, check_instance(source, "source", Source).H
        check_tensor(H, "source.H", "B T m", like=self.output.weight, **sizes)
        check_tensor(s, "s", "B m", like=H, **sizes)
        states, looks = [], []
        for token in tokens.T:
            context, weights = self._context(s, source)
            # What is fed back is the embedding of the chosen token, not the distribution that it was chosen from.
            s = self.decoder(torch.cat([self.encoder.embedding(token), context], dim=-1), s)
            states.append(s)
            looks.append(weights)
        return torch.stack(states, dim=1), torch.stack(looks, dim=1)

    def _context(self, s: Tensor, source: Source) -> tuple[Tensor, Tensor]:
        """What the decoder sees of the source from its state s (B, m): context (B, m) and attention weights (B, T)."""
        if self.score is None:  # always the same
            return source.last, torch.zeros_like(source.mask, dtype=s.dtype)
        weights = self.score(source.keys, s).masked_fill(~source.mask, -math.inf).softmax(dim=-1)  # (B, T)
        return torch.einsum("bt,btm->bm", weights, source.H), weights

    def forward(self, sources: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (B, T_y, V) by teacher forcing and the mean negative log-likelihood in nats over characters and ``<eos>``.

        Args:
            sources, targets: ``tokens`` of as many texts, (B, T) and (B, T_y).
        """
        source = self.encode(sources)
        row_lengths(targets, "targets", self.tokenizer.vocab_size, B=len(sources))
        first = torch.full_like(targets[:, :1], self.tokenizer.bos_id)
        inputs = torch.cat([first, targets[:, :-1].clamp(min=0)], dim=1)  # (B, T_y)
        logits = self.output(self.decode(inputs, source.last, source)[0])  # (B, T_y, V)
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORE)

    @torch.no_grad()
    def greedy(self, texts: Sequence[str], max_length: int = 50) -> tuple[list[str], np.ndarray]:
        """The most probable character at every step: B answers to B sources, and the weights (B, T_y, T) for a heat map.

        Row t of the weights is where the model looked when it wrote character t; the last written is ``<eos>``.
        """
        source = self.encode(self.tokens(texts))
        s, token = source.last, torch.full((len(texts),), self.tokenizer.bos_id, device=source.H.device)
        bos, written, weights = token[:1], [], []  # <bos> is no answer
        done = torch.zeros_like(token, dtype=torch.bool)
        for _ in range(check_integer(max_length, "max_length", 1)):
            states, looks = self.decode(token[:, None], s, source)
            s = states[:, 0]
            token = self.output(s).index_fill(-1, bos, -math.inf).argmax(dim=-1)
            written.append(token)
            weights.append(looks)
            done |= token == self.tokenizer.eos_id
            if done.all():
                break
        answers = [self.text(row) for row in torch.stack(written, dim=1).cpu().numpy()]
        return answers, torch.cat(weights, dim=1).float().cpu().numpy()

    def given(self, source: str) -> "GivenSource":
        """The model with a source before it, as a language model of answers: to sample, to search with a beam, to score."""
        return GivenSource(self, source)


class GivenSource(RecurrentStateLM):
    """A decoder with one source before it is a language model of the answers; its state is the decoder's.

    It reads the source once, here: make it anew after the model was trained further or moved. Its parameters are the model's.
    """

    def __init__(self, model: Seq2Seq, source: str) -> None:
        super().__init__()
        self.model = check_instance(model, "model", Seq2Seq)
        self.vocab_size, self.bos_id = model.tokenizer.vocab_size, model.tokenizer.bos_id
        with torch.no_grad():
            self.source = model.encode(model._tokens([source], "source"))
        self.output = model.output

    def initial_state(self, batch_size: int = 1) -> list[Tensor]:
        """See ``RecurrentStateLM.initial_state``."""
        return [self.source.last.expand(check_integer(batch_size, "batch_size", 1), -1)]

    def run(self, tokens: Tensor, state: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
        """See ``RecurrentStateLM.run``."""
        self._check(tokens, state)
        source = Source(*(part.expand(len(tokens), *part.shape[1:]) for part in self.source))
        h, _ = self.model.decode(tokens, state[0], source)
        return h, [h[:, -1]]


def pair_batches(model: Seq2Seq, pairs: Sequence[Pair], batch_size: int, seed: int) -> Batches:
    """Random pairs: ``batches(step)`` is (sources (B, T), targets (B, T_y)), ``tokens`` for ``model``."""
    batch_size, seed = check_integer(batch_size, "batch_size", 1), check_integer(seed, "seed", 0)
    columns = _columns(check_instance(model, "model", Seq2Seq), pairs)

    def batch(step: int) -> Batch:
        rng = np.random.default_rng([seed, check_integer(step, "step", 0)])
        chosen = rng.integers(len(columns[0]), size=batch_size)
        rows = [column[chosen] for column in columns]
        return tuple(row[:, : int((row != IGNORE).sum(dim=1).max())] for row in rows)  # no longer than the longest

    return batch


def accuracy_by_length(model: Seq2Seq, pairs: Sequence[Pair]) -> dict[int, float]:
    """The share of pairs that greedy decoding answers exactly, by the length of the source."""
    _columns(check_instance(model, "model", Seq2Seq), pairs)
    by_length: dict[int, list[Pair]] = {}
    for source, target in pairs:
        by_length.setdefault(len(source), []).append((source, target))
    accuracy = {}
    for length, group in sorted(by_length.items()):
        sources, targets = zip(*group, strict=True)
        answers, _ = model.greedy(sources, max_length=max(map(len, targets)) + 1)
        accuracy[length] = float(np.mean([a == target for a, target in zip(answers, targets, strict=True)]))
    return accuracy


def _columns(model: Seq2Seq, pairs: Sequence[Pair]) -> list[Tensor]:
    """All sources and all targets, as two tensors of ids."""
    for i, pair in enumerate(check_list(pairs, "pairs", "a list of (source, target)")):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ValueError(f"pairs[{i}] must be two texts, (source, target), got {pair!r:.60}")
    return [model._tokens([pair[side] for pair in pairs], "pairs") for side in (0, 1)]
