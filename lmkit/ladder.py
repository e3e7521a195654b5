"""The ladder: every model of the course on one text, from no knowledge at all to the Transformer.

The text is drawn from a grammar (``lmkit.grammar``), so the last row is known in advance: the grammar itself, the best
model there can be. Each model is one rung. The table tells how far it stays above that floor, and how often its first guess
is right where the sentence has left only one word possible: in a collocation, in the number of a verb, in a copy.

    python -m lmkit.ladder          about six minutes on one thread
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lmkit.batches import Batch, Batches, held_out_sentences, shuffled_batches
from lmkit.corpora import course_grammar
from lmkit.evaluation import evaluate
from lmkit.feedforward import FeedforwardConfig, FeedforwardLM
from lmkit.grammar import Grammar, Token
from lmkit.language_model import LanguageModel
from lmkit.linear_recurrence import LinearRecurrenceConfig, LinearRecurrenceLM
from lmkit.neural import NeuralLM
from lmkit.ngram import Interpolation, ModifiedKneserNey, NgramLM
from lmkit.recurrent import RecurrentConfig, RecurrentLM
from lmkit.tokenizers import WordTokenizer
from lmkit.training import TrainingConfig, train
from lmkit.transformer import TransformerConfig, TransformerLM

QUICK = {"n_train": 500, "n_test": 40, "steps": 5}  # ladder(**QUICK): all rungs in seconds, none of them any good

NGRAMS = ("unigram", "bigram", "trigram", "4-gram", "5-gram")

# Name: the model, given the number of words, the longest sentence and the seed; and its peak learning rate.
NEURAL: dict[str, tuple[Callable[[int, int, int], NeuralLM], float]] = {
    "feed-forward": (lambda V, T, seed: FeedforwardLM(FeedforwardConfig(V, n_context=4), seed), 3e-3),
    "RNN": (lambda V, T, seed: RecurrentLM(RecurrentConfig(V, "rnn"), seed), 3e-3),
    "GRU": (lambda V, T, seed: RecurrentLM(RecurrentConfig(V, "gru"), seed), 3e-3),
    "LSTM": (lambda V, T, seed: RecurrentLM(RecurrentConfig(V, "lstm"), seed), 3e-3),
    "linear recurrence": (lambda V, T, seed: LinearRecurrenceLM(LinearRecurrenceConfig(V), seed), 3e-3),
    # Queries and keys of one length, and a convolution that lets a word look at those before it, find the copy sooner.
    "Transformer": (
        lambda V, T, seed: TransformerLM(
            TransformerConfig(V, T, n_layers=2, d_model=64, positions="rotary", tied=False, qk_norm=True, conv_width=4),
            seed,
        ),
        4e-3,
    ),
}
MODELS = ("uniform", *NGRAMS, *NEURAL)


@dataclass(frozen=True)
class Rung:
    """What one model achieved.

    Attributes:
        name: of the model.
        parameters: numbers learned from the text; for an n-gram model the n-grams of all orders that it keeps.
        seconds: time of training or counting.
        bits: cross-entropy on the test text in bits per token, ``<eos>`` included.
        perplexity: 2^bits.
        excess: bits above those of the grammar itself on the same text. Since both see the same sentences, this
            estimates the divergence from the truth with less noise than bits minus entropy rate.
        excess_percent: the same in percent of the grammar's bits.
        accuracy: how often the most probable word is the right one, for each phenomenon.
    """

    name: str
    parameters: int
    seconds: float
    bits: float
    perplexity: float
    excess: float
    excess_percent: float
    accuracy: dict[str, float]


def ladder(
    grammar: Grammar | None = None,
    n_train: int = 30_000,
    n_test: int = 1_000,
    steps: int = 2_500,
    tokens_per_batch: int = 1024,
    seed: int = 0,
    quiet: bool = False,
    only: Sequence[str] = MODELS,
) -> list[Rung]:
    """Fit or train every model on the same sentences and test it on the same others.

    Args:
        grammar: what the sentences are drawn from; the course's if None.
        n_train, n_test: how many. They are independent draws, so a short sentence may well be in both.
        steps, tokens_per_batch: the budget of every neural model (see ``packed_batches``).
        seed: of the sentences, the initial weights and the order of training.
        quiet: no progress on stderr.
        only: the names of the rungs to climb.

    Returns:
        One rung per model, from the simplest to the Transformer, and the grammar itself as the last.

    Raises:
        ValueError: for fewer than one sentence, an unknown name, or a test text without any phenomenon to look at.
    """
    unknown = [name for name in only if name not in MODELS]
    if unknown:
        raise ValueError(f"only holds {unknown[0]!r}, expected some of {', '.join(MODELS)}")
    if n_train < 1 or n_test < 1:
        raise ValueError(f"n_train and n_test must be at least 1, got {n_train} and {n_test}")
    grammar = course_grammar() if grammar is None else grammar
    sentences = grammar.sample_annotated(n_train + n_test, seed)
    words = [[token.word for token in sentence] for sentence in sentences]
    tokenizer = WordTokenizer.from_sentences([*words, grammar.words])  # a closed vocabulary, however small n_train
    ids = [tokenizer.encode(sentence, eos=True) for sentence in words]
    training, test, annotated = ids[:n_train], ids[n_train:], sentences[n_train:]
    truth = grammar.language_model(tokenizer.vocab, tokenizer.bos_id)
    floor = evaluate(truth, test).bits_per_token
    V, bos_id, longest = tokenizer.vocab_size, tokenizer.bos_id, max(map(len, ids))
    rungs: list[Rung] = []

    def add(name: str, fit: Callable[[], LanguageModel], parameters: Callable[[LanguageModel], int]) -> None:
        _report(f"{name} …", quiet)
        start = time.perf_counter()
        model = fit()
        seconds = time.perf_counter() - start
        result = evaluate(model, test)
        bits = result.bits_per_token
        accuracy = accuracy_by_phenomenon(model, test, annotated)
        excess = bits - floor
        rungs.append(
            Rung(name, parameters(model), seconds, bits, result.perplexity, excess, 100 * excess / floor, accuracy)
        )
        _report(f"{name}: {bits:.3f} bits per token after {seconds:.1f} s", quiet)

    def neural(build: Callable[[int, int, int], NeuralLM], learning_rate: float) -> NeuralLM:
        model = build(V, longest, seed)
        config = TrainingConfig(steps, learning_rate, warmup_steps=steps // 20, seed=seed)
        train(model, packed_batches(training, tokens_per_batch, bos_id, seed), config, quiet=quiet)
        return model

    if "uniform" in only:
        add("uniform", lambda: NgramLM.fit(training, 1, V, Interpolation((1, 0)), bos_id), lambda model: 0)
    for n, name in enumerate(NGRAMS, 1):
        if name in only:
            add(name, lambda n=n: NgramLM.fit(training, n, V, ModifiedKneserNey(), bos_id), _number_of_ngrams)
    for name, choice in NEURAL.items():
        if name in only:
            add(name, lambda choice=choice: neural(*choice), lambda model: sum(p.numel() for p in model.parameters()))
    add("the grammar itself", lambda: truth, lambda model: 0)
    return rungs


def packed_batches(sequences: Sequence[np.ndarray], tokens_per_batch: int, bos_id: int, seed: int) -> Batches:
    """Like ``sentence_batches``, but of sentences of similar length, and as many as make ``tokens_per_batch``.

    The course's sentences have 6 to 100 words: in a random batch of 32, three quarters would be padding. The groups stay,
    their order is new in each epoch. Every batch has about as many targets, so every token counts the same.
    """
    rows = sorted(sequences, key=len)
    group = np.cumsum([len(row) for row in rows]) // tokens_per_batch
    starts = [0, *(np.flatnonzero(np.diff(group)) + 1), len(rows)]
    groups = [rows[start:end] for start, end in zip(starts[:-1], starts[1:], strict=True)]
    batches = [held_out_sentences(group, len(group), bos_id)[0] for group in groups]

    def batch(step: int) -> Batch:
        epoch, b = divmod(step, len(batches))
        return batches[order(epoch)[b]]

    order = lru_cache(maxsize=1)(lambda epoch: np.concatenate(shuffled_batches(len(batches), 1, seed, epoch)))
    return batch


def accuracy_by_phenomenon(
    model: LanguageModel, sequences: Sequence[np.ndarray], annotated: Sequence[Sequence[Token]]
) -> dict[str, float]:
    """How often the most probable next word is the one that stands there, at the labelled tokens only.

    Args:
        model: any language model.
        sequences: token ids of each sentence.
        annotated: the same sentences as ``Grammar.sample_annotated`` gives them.

    Raises:
        ValueError: if no token is labelled.
    """
    hits: dict[str, list[bool]] = {}
    for ids, sentence in zip(sequences, annotated, strict=True):
        for t, token in enumerate(sentence):
            if token.phenomenon is not None:
                right = int(model.next_log_probs(ids[:t]).argmax()) == ids[t]
                hits.setdefault(token.phenomenon, []).append(right)
    if not hits:
        raise ValueError("annotated labels no token with a phenomenon, expected at least one; take more sentences")
    return {phenomenon: float(np.mean(right)) for phenomenon, right in sorted(hits.items())}


def as_table(rungs: Sequence[Rung]) -> str:
    """The rungs as a table of text, which is also Markdown."""
    phenomena = sorted({phenomenon for rung in rungs for phenomenon in rung.accuracy})
    head = ["model", "parameters", "seconds", "bits/token", "perplexity", "above the floor", *phenomena]
    rows = [
        [
            rung.name,
            f"{rung.parameters:,}",
            f"{rung.seconds:.1f}",
            f"{rung.bits:.3f}",
            f"{rung.perplexity:.2f}",
            f"{rung.excess:.3f} ({rung.excess_percent:.1f} %)",
            *(f"{rung.accuracy[p]:.0%}" if p in rung.accuracy else "–" for p in phenomena),
        ]
        for rung in rungs
    ]
    width = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rule = ["-" * width[0], *("-" * (w - 1) + ":" for w in width[1:])]
    lines = [
        " | ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, width, strict=True))
        )
        for row in [head, rule, *rows]
    ]
    return "\n".join(f"| {line} |" for line in lines)


def _number_of_ngrams(model: NgramLM) -> int:
    return sum(len(table.grams) for table in model.counts.continuation_tables.values())


def _report(line: str, quiet: bool) -> None:
    if not quiet:
        print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    print(as_table(ladder()))
